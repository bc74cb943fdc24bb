import Foundation
import MovieBrowser
import SampleTerminal
import Testing

@Suite("What the program is asked for on the command line")
struct OptionsTests {
  @Test("without arguments the films are those that come with the program, and nothing is logged")
  func defaults() throws {
    let options = try Options([])
    #expect(options.server == nil)
    #expect(options.films == nil)
    #expect(options.timeout == 10)
    #expect(options.logs == false)
    #expect(options.wantsHelp == false)
    #expect(options.service is FileMovieService)
  }

  @Test(
    "a server is an address with a host", arguments: ["http://localhost:8000", "https://films.example/a"])
  func server(address: String) throws {
    let options = try Options(["--server", address])
    #expect(options.server?.absoluteString == address)
    #expect(options.service is HTTPMovieService)
  }

  @Test("a folder is taken as it is, and its films come from files")
  func films() throws {
    let options = try Options(["--films", "/some where/else"])
    #expect(options.films?.path == "/some where/else")
    #expect(options.service is FileMovieService)
  }

  @Test("a folder for what is kept is taken as it is")
  func data() throws {
    #expect(try Options(["--data", "/some where/else"]).data?.path == "/some where/else")
    #expect(try Options([]).data == nil)
  }

  @Test("--data without a folder is refused", arguments: [[], [""]])
  func badData(words: [String]) {
    #expect(message(of: ["--data"] + words) == "--data needs a folder.")
  }

  @Test("a timeout is a number of seconds, also a part of one")
  func timeout() throws {
    #expect(try Options(["--timeout", "0.5"]).timeout == 0.5)
    #expect(try Options(["--timeout", "30"]).timeout == 30)
  }

  @Test("--lines asks for commands line by line")
  func lines() throws {
    #expect(try Options(["--lines"]).lines)
    #expect(try Options([]).lines == false)
  }

  @Test("--log asks for the log")
  func log() throws {
    #expect(try Options(["--log"]).logs)
  }

  @Test("--help and -h ask for help", arguments: ["--help", "-h"])
  func help(name: String) throws {
    #expect(try Options([name]).wantsHelp)
  }

  @Test("the order of the options does not matter")
  func order() throws {
    let one = try Options(["--log", "--timeout", "2", "--server", "http://localhost"])
    let other = try Options(["--server", "http://localhost", "--log", "--timeout", "2"])
    #expect(one == other)
  }

  @Test("of an option that is given twice the last counts")
  func twice() throws {
    #expect(try Options(["--timeout", "2", "--timeout", "3"]).timeout == 3)
  }

  @Test(
    "what is not an address with a host is refused",
    arguments: [[], [""], ["localhost:8000"], ["ftp://localhost"], ["http://"], ["http:"], ["--log"]])
  func badServer(words: [String]) {
    #expect(
      message(of: ["--server"] + words) == "--server needs an address, as in --server http://localhost:8000")
  }

  @Test("--films without a folder is refused")
  func badFilms() {
    #expect(message(of: ["--films"]) == "--films needs a folder.")
  }

  @Test(
    "what is not a number of seconds greater than zero is refused",
    arguments: [[], ["soon"], ["0"], ["-1"], ["inf"], ["nan"], [""]])
  func badTimeout(words: [String]) {
    #expect(
      message(of: ["--timeout"] + words) == "--timeout needs a number of seconds greater than zero.")
  }

  @Test("an unknown option is named", arguments: ["--verbose", "-x", "list", ""])
  func unknown(name: String) {
    #expect(message(of: [name]) == "There is no option \"\(name)\".")
  }

  @Test("a server and a folder exclude each other")
  func both() {
    #expect(
      message(of: ["--server", "http://localhost", "--films", "."])
        == "--server and --films exclude each other.")
  }

  @Test(
    "the usage names every option",
    arguments: ["--server", "--films", "--timeout", "--data", "--log", "--help"])
  func usage(name: String) {
    #expect(Options.usage.contains("\n  \(name) "))
  }

  private func message(of arguments: [String]) -> String? {
    do throws(Misunderstanding) {
      _ = try Options(arguments)
      return nil
    } catch {
      return error.text
    }
  }
}
