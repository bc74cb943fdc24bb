import Foundation
import SampleTerminal
import Testing
import TodoList

@Suite("Command-line options of the program")
struct OptionsTests {
  @Test("without arguments the list is kept in the user's folder, and nothing is logged")
  func defaults() throws {
    let options = try Options([])
    #expect(options.folder.lastPathComponent == "flux-todos")
    #expect(!options.logs)
    #expect(!options.wantsHelp)
  }

  @Test("a folder is used unchanged, and a log and help are available on request")
  func given() throws {
    let options = try Options(["--data", "/some where/else", "--log", "-h"])
    #expect(options.folder.path == "/some where/else")
    #expect(options.logs)
    #expect(options.wantsHelp)
  }

  @Test(
    "arguments that are not understood are refused in one line",
    arguments: [
      (["--data"], "--data needs a folder."), (["--data", ""], "--data needs a folder."),
      (["list"], "There is no option \"list\"."),
    ])
  func refused(arguments: [String], message: String) {
    do throws(Misunderstanding) {
      _ = try Options(arguments)
      Issue.record("understood")
    } catch {
      #expect(error.text == message)
    }
  }

  @Test("the usage names every option", arguments: ["--data", "--log", "--help"])
  func usage(name: String) {
    #expect(Options.usage.contains("\n  \(name) "))
  }
}
