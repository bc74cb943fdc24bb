import Foundation
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

/// A program of this package: it stands beside the tests that run.
private func builtProgram(named name: String) -> URL? {
  let places = [
    Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
  ]
  return places.map { $0.appendingPathComponent(name) }.first {
    FileManager.default.isExecutableFile(atPath: $0.path)
  }
}
