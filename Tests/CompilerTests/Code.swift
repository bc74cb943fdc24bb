import Foundation
import TestSupport
import Testing

/// A Swift file whose comments contain the diagnostics that the compiler prints for a line.
struct Code {
  /// A diagnostic of a line, or for an expected one, a part of its text.
  struct Diagnostic: Hashable, CustomStringConvertible {
    let line: Int
    let kind: String
    let words: String

    var description: String { "\n\(line): \(kind): \(words)" }
  }

  /// The expected diagnostics, in the order of lines.
  let expected: [Diagnostic]
  private let text: String

  /// Reads a file in the directory next to this file.
  init(named name: String) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Code/\(name).swift")
    try self.init(String(contentsOf: file, encoding: .utf8))
  }

  init(_ text: String) throws {
    self.text = text
    expected = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      number, line in
      ["refused": "error", "warned": "warning"].compactMap { comment, kind in
        line.firstRange(of: "// \(comment): ").map { range in
          Diagnostic(line: number + 1, kind: kind, words: String(line[range.upperBound...]))
        }
      }
    }
  }

  /// The compiler's diagnostics of the file, one for each line.
  ///
  /// An expected one is replaced by the text of its comment.
  func diagnostics(inMode mode: Int) throws -> [Diagnostic] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "code-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "code.swift")
    try Data(text.utf8).write(to: file)
    let said = try Self.run(
      [
        "swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", "-module-name", "Code", "-swift-version",
        "\(mode)",
        "-I", try #require(Self.modules).path, file.path,
      ])
    var found: [Int: Diagnostic] = [:]
    for line in said.split(separator: "\n") where line.hasPrefix(file.path) {
      let parts = line.dropFirst(file.path.count + 1).split(separator: ":", maxSplits: 3)
      guard parts.count == 4, let number = Int(parts[0]) else { continue }
      let kind = parts[2].trimmingCharacters(in: .whitespaces)
      guard kind != "note", found[number] == nil else { continue }
      let words = parts[3].trimmingCharacters(in: .whitespaces)
      let expected = expected.first { $0.line == number && $0.kind == kind && words.contains($0.words) }
      found[number] = expected ?? Diagnostic(line: number, kind: kind, words: words)
    }
    return found.values.sorted { $0.line < $1.line }
  }

  /// The directory of this package's modules, with which the running tests were built.
  private static var modules: URL? {
    builtProgram(named: "movies")?.deletingLastPathComponent().appending(path: "Modules")
  }

  private static func run(_ arguments: [String]) throws -> String {
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = arguments
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
