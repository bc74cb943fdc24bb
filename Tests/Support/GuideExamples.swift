import Foundation
package import Testing

/// The Swift examples of a page, which must be in the tests word for word.
package struct GuideExamples {
  /// The output of programs that the page shows, one block after another.
  package let output: String
  private let page: String
  private let blocks: [String]

  /// Reads the examples of a page.
  ///
  /// Manifests, which show how to add the package, are omitted.
  package init(of page: String) throws {
    self.page = page
    let text = try Self.text(of: page)
    blocks = Self.blocks(of: "swift", in: text).filter { block in
      !["// swift-tools-version", ".package", ".testTarget"].contains { block.hasPrefix($0) }
    }
    output = Self.blocks(of: "", in: text).filter { !$0.contains("swift package init") }
      .map { $0 + "\n" }.joined()
  }

  /// Expects every example to be in one of the files, and the number of examples.
  package func expectTested(
    in files: String..., atLeast count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let code = try Self.lines(of: files.map(Self.text).joined(separator: "\n"))
    #expect(blocks.count >= count, sourceLocation: sourceLocation)
    for block in blocks {
      #expect(
        code.contains(Self.lines(of: block)), "of \(page), not in the tests:\n\(block)",
        sourceLocation: sourceLocation)
    }
  }

  /// The text of a file of the repository.
  package static func text(of path: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The text between fences that name a language, or none.
  private static func blocks(of language: String, in text: String) -> [String] {
    let parts = ("\n" + text).components(separatedBy: "\n```")
    return parts.enumerated().compactMap { number, part in
      guard !number.isMultiple(of: 2), part.hasPrefix(language + "\n") else { return nil }
      return String(part.dropFirst(language.count + 1))
    }
  }

  /// The lines without their indentation, which differs inside a function, and without imports and
  /// blank lines.
  private static func lines(of code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .joined(separator: "\n")
  }
}
