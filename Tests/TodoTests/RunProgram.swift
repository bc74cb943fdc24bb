import Foundation
import TestSupport
import Testing

/// A folder for the data of the program `todos`, which is removed when the object is released.
final class DataFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(
    path: "todos-\(UUID())", directoryHint: .isDirectory)

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var log: URL { url.appending(path: "log", directoryHint: .isDirectory) }

  /// Writes a file, and creates its folder if it does not exist.
  func write(_ contents: Data, to name: String) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
  }
}

/// The result of a run of the program `todos`.
struct RunProgram {
  let status: Int32
  let output: String
  let trouble: String

  /// Runs the program with the data of a folder and typed lines, until it ends.
  init(in folder: DataFolder, typing lines: [String] = []) throws {
    let program = try #require(builtProgram(named: "todos"))
    let process = Process()
    let (typed, written, problems) = (Pipe(), Pipe(), Pipe())
    process.executableURL = program
    process.arguments = ["--data", folder.url.path]
    process.standardInput = typed
    process.standardOutput = written
    process.standardError = problems
    try process.run()
    // The program might have ended before it reads.
    try? typed.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try typed.fileHandleForWriting.close()
    output = String(decoding: written.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    trouble = String(decoding: problems.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// The text that the program shows before the first line.
  var first: String { screens.first ?? "" }

  /// The text that the program shows before the first line, and after each line.
  var screens: [String] {
    output.components(separatedBy: "\n\n> ").enumerated().map { index, text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.dropFirst(index == 0 ? 0 : 1).joined(separator: "\n").trimmingCharacters(in: .newlines)
    }
  }
}
