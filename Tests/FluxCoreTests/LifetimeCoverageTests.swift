import Foundation
import TestSupport
import Testing

/// The public types that take closures, and the tests of lifetimes, in their source text.
@Suite("Coverage of public types by lifetime tests")
struct LifetimeCoverageTests {
  private let root: URL

  init() {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    self.root = root
  }

  @Test("each public type that keeps a closure is named by a test with a lifetime tracker")
  func covered() throws {
    let tests = try lifetimeTests()
    let types = try Set(files(in: "Documentation/API", ".txt").flatMap(takers))
    #expect(types.count > 40 && types.isSuperset(of: ["Substate", "Plugin", "Retry", "PropsComparison"]))
    for type in types.sorted() {
      #expect(tests.contains { $0.contains(type[...]) }, "how long does a \(type) keep what it is given?")
    }
  }

  @Test("lifetime tests and types that take closures are recognized by their source text")
  func reading() throws {
    let interface = """
      Kept | struct Kept<State>
      Kept.init(_:) | init(_ act: @escaping @Sendable () -> Void)
      Optional.init(_:) | init(_ act: @escaping () -> Void)
      Field | @MainActor final class Field
      Field.act | var act: (@Sendable (Int) -> Void)?
      Way | enum Way
      Way.function | var function: DispatchFunction { get }
      Way.run(_:) | func run(_ body: () -> Void)
      """
    #expect(takers(in: interface) == ["Kept", "Field"])
    let file = """
      @Test("a Plugin is there") func plugin() { #expect(plugin != nil) }
      @Test("a Plugin is released") func released() { #expect(tracker.alive == 0) }
      Keeper("Retry, of a plan") { touch in [] },
      """
    let named = words(ofLifetimeTestsIn: file).map { $0.intersection(["Plugin", "Retry"]) }
    #expect(named == [["Plugin", "Retry"]])
  }

  // MARK: - Reading

  /// The types of an interface, one declaration per line, that may keep a closure.
  private func takers(in interface: String) -> Set<String> {
    var (types, takers): (Set<String>, Set<String>) = ([], [])
    for line in interface.split(separator: "\n") {
      guard let bar = line.range(of: " | ") else { continue }
      let (path, declaration) = (line[..<bar.lowerBound], line[bar.upperBound...])
      let words = declaration.split(separator: " ")
      if words.contains(where: { ["struct", "class", "enum", "actor"].contains($0) }) {
        types.insert(String(path))
      }
      let isKept =
        declaration.contains("@escaping") || declaration.contains(")?") && declaration.contains("->")
      guard isKept, !declaration.contains("{ get }") else { continue }
      // The members of a type have the type's path as a prefix.
      let name = path.prefix { $0 != "(" }
      if let dot = name.lastIndex(of: ".") { takers.insert(String(name[..<dot])) }
    }
    return Set(takers.intersection(types).map { $0.split(separator: ".").last.map { String($0) } ?? $0 })
  }

  /// The words of each test of the package, and of the inspector, that tracks lifetimes.
  private func lifetimeTests() throws -> [Set<Substring>] {
    try (files(in: "Tests", ".swift") + files(in: "Inspector/Tests", ".swift")).flatMap(words)
  }

  private func words(ofLifetimeTestsIn file: String) -> [Set<Substring>] {
    file.components(separatedBy: "@Test").compactMap { test in
      guard test.contains("tracker.alive") || test.contains("Keeper(") else { return nil }
      return Set(test.split { !$0.isLetter && !$0.isNumber })
    }
  }

  private func files(in folder: String, _ suffix: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return try names.filter { $0.hasSuffix(suffix) }.map { name in
      try String(contentsOf: root.appendingPathComponent("\(folder)/\(name)"), encoding: .utf8)
    }
  }
}
