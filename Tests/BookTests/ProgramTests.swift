import Foundation
import TestSupport
import Testing

@Suite("The program books")
struct BookProgramTests {
  @Test("commands from a pipe run in place of the tour, until the end of the input or quit")
  func piped() throws {
    let (output, status) = try run(["--fail", "changes"], input: "shelf\nremove 13\nquit\nall\n")
    #expect(status == 0)
    #expect(output.hasPrefix("\n> shelf\n  loading books …\nThe shelf\n"))
    #expect(output.hasSuffix("It was undone:\n  13  Emma · Jane Austen (1815)\n\n> quit\n"))
    #expect(try run([], input: "more").output.hasSuffix("> more\n! \(nothingOnShow)\n"))
  }

  @Test("an address shows its screen before the commands, or instead of the tour")
  func address() throws {
    let (output, status) = try run(["shelf"], input: "")
    #expect(status == 0)
    #expect(output.hasPrefix("  loading books …\nThe shelf\n"))
    #expect(output.hasSuffix("  That is all: 7 books.\n"))
    #expect(try run(["shelf"], input: "more").output.hasSuffix("\n> more\n  That is all.\n"))
    #expect(try run(["cellar"], input: "").status == 2)
  }

  @Test("with the option --data, the next run shows the last screen, and without it the tour begins")
  func place() throws {
    let folder = TemporaryFolders.newLocation().path
    _ = try run(["--data", folder], input: "all\nshelf\nquit\n")
    #expect(try run(["--data", folder], input: "back\n").output.hasPrefix("  loading books …\nThe shelf\n"))
    #expect(try run(["--data", folder], input: "").output.hasPrefix("  loading books …\nAll books\n"))
    #expect(try run([], input: "").output.hasPrefix("\n> "))
  }

  @Test("an unknown option ends the program with status 2, and the message contains the help option")
  func option() throws {
    let (output, status) = try run(["--dance"], input: "")
    #expect(status == 2)
    #expect(
      output == "books: There is no option \"--dance\".\nFor the options, enter: books --help\n")
    #expect(try run(["--help"], input: "").status == 0)
  }

  private let nothingOnShow = "Nothing is shown yet. Type shelf, all, sections or together."

  /// Runs the program, and returns its whole output.
  private func run(_ arguments: [String], input: String) throws -> (output: String, status: Int32) {
    let process = Process()
    let program = try #require(builtProgram(named: "books"))
    process.executableURL = program
    process.arguments = arguments
    let (typed, written) = (Pipe(), Pipe())
    process.standardInput = typed
    process.standardOutput = written
    process.standardError = written
    try process.run()
    try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try typed.fileHandleForWriting.close()
    let output = try written.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }
}
