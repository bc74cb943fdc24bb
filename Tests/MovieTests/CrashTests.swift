import Foundation
import TestSupport
import Testing

@Suite("A crash of the program movies")
struct CrashTests {
  /// Runs the tour of the program with options; returns its output.
  private func run(_ folder: TemporaryFolder, _ options: String...) throws -> (output: String, crashed: Bool)
  {
    let program = try #require(builtProgram(named: "movies"))
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = ["--data", folder.url.path] + options
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { $1 })
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationReason == .uncaughtSignal)
  }

  private static let notice = """
    ! The previous run crashed after 4 changes of marks, during MarkMove "undo"
    ! movies --crash-report shows the changes, and movies --forget-crash removes the report.

    """

  @Test("the next start reports a crash, until the report is removed")
  func notice() throws {
    let folder = try TemporaryFolder()
    #expect(try run(folder, "--crash-after", "4").crashed)
    for _ in 1...2 {
      let next = try run(folder)
      #expect(!next.crashed)
      #expect(next.output.hasPrefix(Self.notice), "\(next.output.prefix(400))")
    }
    #expect(try run(folder, "--forget-crash").output.isEmpty)
    #expect(try !run(folder).output.contains("previous run"))
  }

  @Test("the report contains the changes, the marks before the last change, and a test")
  func report() throws {
    let folder = try TemporaryFolder()
    #expect(try run(folder, "--crash-after", "4").crashed)
    let report = try run(folder, "--crash-report")
    #expect(!report.crashed)
    #expect(
      report.output.hasPrefix(
        """
        The changes of marks (! was not finished):
          1  ToggleWish {"film":27}
          2  ToggleSeen {"film":3}
          3  ToggleWish {"film":12}
          4  ToggleWish {"film":12}
        ! 5  MarkMove "undo"

        The marks after the last finished change:
        To see: 27
        Seen: 3

        A test that repeats the changes:

        """), "\(report.output)")
    #expect(report.output.contains("\n@testable import MovieBrowser\n"))
    #expect(report.output.contains("decode(BrowserState.Marks.self, "))
    #expect(report.output.contains("    repeatedMarks(&recordedState, action)\n"))
  }

  @Test("a damaged report is named at each start, and can be removed")
  func damaged() throws {
    let folder = try TemporaryFolder()
    _ = try run(folder)
    try Data("damaged".utf8).write(to: folder.url.appending(path: "journal/crash"))
    #expect(try run(folder).output.hasPrefix("! The file \(folder.url.path)/journal/crash does not contain "))
    #expect(try run(folder, "--forget-crash").output.isEmpty)
    #expect(try !run(folder).output.hasPrefix("!"))
  }

  @Test("without a crash, there is no report")
  func noReport() throws {
    let folder = try TemporaryFolder()
    #expect(try !run(folder, "--crash-after", "6").crashed)
    #expect(try run(folder, "--crash-report").output == "There is no report of a crash.\n")
  }
}
