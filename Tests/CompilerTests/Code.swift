import Foundation
import TestSupport
import Testing

/// A file of Swift, in which comments say what the compiler says of a line.
struct Code {
  /// What the compiler says of a line: for one that is expected, a part of its words.
  struct Diagnostic: Hashable, CustomStringConvertible {
    let line: Int
    let kind: String
    let words: String

    var description: String { "\n\(line): \(kind): \(words)" }
  }

  /// What the comments say, in the order of lines.
  let expected: [Diagnostic]
  private let text: String

  /// Reads a file that stands in the folder beside this one.
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

  /// What the compiler says of the file, once for each line; where it is what a comment expects, in the comment's words.
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

  /// Where the modules of this package are, which the tests that run were built with.
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
