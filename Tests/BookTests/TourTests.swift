import BookShelf
import Foundation
import TestSupport
import Testing

@Suite("The tour of books")
struct BookTourTests {
  @Test("without input, the program prints the recorded output, line by line")
  func output() async throws {
    let program = try #require(builtProgram(named: "books"))
    let process = Process()
    process.executableURL = program
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let shown = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let file = Bundle.module.bundleURL.appendingPathComponent("Expected/tour.txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(String(decoding: shown, as: UTF8.self) == expected)
    #expect(process.terminationStatus == 0)
  }

  @Test("the tour visits every command")
  func commands() throws {
    let verbs = Set(tour.map { String($0.prefix { $0 != " " }) })
    #expect(
      verbs == [
        "help", "shelf", "all", "more", "sections", "together", "refresh", "reload", "invalidate", "rename",
        "remove", "fail", "slow", "stop", "dance", "quit",
      ])
  }

  @Test("the tour ends with quit and not before")
  func end() {
    #expect(tour.firstIndex(of: "quit") == tour.count - 1)
  }
}
