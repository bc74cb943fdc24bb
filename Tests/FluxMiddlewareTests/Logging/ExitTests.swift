#if os(Linux) || os(macOS)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Log lines at the end of a program")
  struct ExitTests {
    /// Runs a program that logs a hundred actions, none of which has been written when it ends.
    private func run(_ way: String) throws -> (status: Int32, lines: [Substring]) {
      let program = try #require(builtProgram(named: "LoggingClient"))
      let process = Process()
      let errors = Pipe()
      process.executableURL = program
      process.arguments = [way]
      process.standardError = errors
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text.split(separator: "\n"))
    }

    @Test("waiting lines are written when main returns")
    func returning() throws {
      let (status, lines) = try run("return")
      #expect(status == 0)
      #expect(lines.count == 100)
      #expect(lines.last?.hasPrefix("info #100 Increment() count: 99 → 100 (") == true)
    }

    @Test("waiting lines are written when exit is called, and the program ends with its own status")
    func exiting() throws {
      let (status, lines) = try run("exit")
      #expect(status == 3)
      #expect(lines.count == 100)
    }

    @Test("a sink that does not return does not prevent the program from ending")
    func stuck() throws {
      let (status, lines) = try run("stuck")
      #expect(status == 0)
      #expect(lines.isEmpty)
    }

    @Test("by default, printed actions appear on standard output among the program's own output")
    func printing() throws {
      let program = try #require(builtProgram(named: "LoggingClient"))
      let process = Process()
      let output = Pipe()
      process.executableURL = program
      process.arguments = ["print"]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text == "before\nIncrement()\nafter\n")
    }
  }
#endif
