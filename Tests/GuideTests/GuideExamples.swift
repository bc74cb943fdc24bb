import Foundation
import Testing

/// The Swift examples of a page, which have to stand in the tests to the letter.
struct GuideExamples {
  private let page: String
  private let blocks: [String]

  /// Reads the examples of a page.
  ///
  /// How to add the package is an excerpt of a manifest, which is no Swift of its own, and left out.
  init(of page: String) throws {
    self.page = page
    blocks = try Self.text(of: page).components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
      .filter { !$0.hasPrefix(".package") }
  }

  /// Expects every example to stand in one of the files, and that there are so many of them.
  func expectTested(in files: String..., atLeast count: Int) throws {
    let code = try Self.lines(of: files.map(Self.text).joined(separator: "\n"))
    #expect(blocks.count >= count)
    for block in blocks {
      #expect(code.contains(Self.lines(of: block)), "of \(page), not in the tests:\n\(block)")
    }
  }

  static func text(of path: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The lines without their indentation, which is another inside a function, and without blank ones.
  private static func lines(of code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
