package import Foundation
import Testing

/// A program of this package, in the directory of the running tests.
package func builtProgram(named name: String) -> URL? {
  let places = [
    Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
  ]
  return places.map { $0.appendingPathComponent(name) }.first {
    FileManager.default.isExecutableFile(atPath: $0.path)
  }
}

/// Returns the output of a program of this package that takes no input and must succeed.
package func output(ofProgramNamed name: String) throws -> String {
  let program = try #require(builtProgram(named: name))
  let process = Process()
  let output = Pipe()
  process.executableURL = program
  process.standardOutput = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  return text
}
