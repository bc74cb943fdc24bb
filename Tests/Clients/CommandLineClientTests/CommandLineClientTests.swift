import Foundation
import TestSupport
import Testing

@Test("a command-line program shows what its top-level subscription on the main actor was given")
func commandLineClientRuns() throws {
  let program = try #require(builtProgram(named: "CommandLineClient"))
  let process = Process()
  let output = Pipe()
  process.executableURL = program
  process.standardOutput = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  #expect(text == "shown first 0, last 2\n")
}
