import Foundation
import Testing

/// The budgets of the programs in `Benchmarks`, for cases in which other libraries measure time.
struct Budgets {
  private struct Budget: Decodable {
    let figure: String
  }

  private let figures: [String]

  init() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let file = root.appendingPathComponent("Benchmarks/budgets.json")
    figures = try JSONDecoder().decode([Budget].self, from: Data(contentsOf: file)).map(\.figure)
  }

  /// Expects a figure to have a budget.
  func expect(_ figure: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(figures.contains(figure), sourceLocation: sourceLocation)
  }
}
