import FluxCollections
import TestSupport
import Testing

@Suite("A list and its model")
struct ListModelTests {
  struct Setting: CustomTestStringConvertible {
    let shape: ListShape
    /// The approximate number of elements in the list.
    let size: Int
    let operations: Int

    var testDescription: String { "leaves of \(shape.leaf), groups of \(shape.group), \(size) elements" }
  }

  /// More than a million operations with optimization, which takes seconds, and a small part of
  /// them without it, which would take minutes.
  private static let settings: [Setting] = {
    #if DEBUG
      let unit = 1000
    #else
      let unit = 150_000
    #endif
    return [
      Setting(shape: ListShape(leaf: 2, group: 4), size: 20, operations: 3 * unit),
      Setting(shape: ListShape(leaf: 4, group: 4), size: 80, operations: 2 * unit),
      Setting(shape: ListShape(leaf: 7, group: 5), size: 200, operations: unit),
      Setting(shape: .usual, size: 30, operations: unit),
      Setting(shape: .usual, size: 500, operations: unit),
    ]
  }()

  @Test(
    "after random operations in any order, the list and its model have the same elements",
    arguments: settings)
  func random(setting: Setting) {
    let length = 1000
    for seed in 0..<UInt64(setting.operations / length) {
      guard let failure = Run(setting, seed: seed, length: length).failure() else { continue }
      Issue.record("seed \(seed), \(setting.testDescription): \(failure.words), after \(failure.operations)")
      return
    }
  }

  @Test("the test finds a planted difference, and shortens the operations that lead to it")
  func shrinking() {
    let run = Run(Setting(shape: .usual, size: 20, operations: 0), seed: 1, length: 300)
    let failure = run.failure { list in list.count > 2 ? "too many" : nil }
    #expect(failure?.words == "too many")
    #expect((1...3).contains(failure?.operations.count ?? 0), "\(failure?.operations ?? [])")
  }
}
