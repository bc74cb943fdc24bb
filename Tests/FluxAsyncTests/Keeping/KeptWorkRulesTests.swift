import TestSupport
import Testing

@testable import FluxAsync

@Suite("The rules of kept work, in every interleaving")
struct KeptWorkRulesTests {
  /// All programs of up to five commits, each of which sets or removes the key.
  private static let programs = (1...5).flatMap { length in
    (0..<(1 << length)).map { bits in (0..<length).map { bits & (1 << $0) != 0 } }
  }

  /// Explores every interleaving, and returns the number of moments.
  private static func explore(
    _ commits: [Bool], _ mistake: KeptRulesUnderTest.Mistake? = nil
  ) throws -> Int {
    let first = KeptWorkModel(commits: commits, mistake)
    var known: Set = [first]
    var open = [first]
    while let moment = open.popLast() {
      for next in try moment.successors() where known.insert(next).inserted { open.append(next) }
    }
    return known.count
  }

  @Test("each piece of work starts and is canceled once, in commit order, in every interleaving")
  func keepsTheRules() throws {
    let moments = try Self.programs.map { try Self.explore($0) }.reduce(0, +)
    printStatistics("kept work: \(Self.programs.count) programs, \(moments) moments")
    #expect(moments > 5_000)
  }

  @Test("the exploration finds each planted mistake", arguments: KeptRulesUnderTest.Mistake.allCases)
  func findsMistakes(mistake: KeptRulesUnderTest.Mistake) {
    #expect(throws: KeptWorkModel.Violation.self) {
      for program in Self.programs { _ = try Self.explore(program, mistake) }
    }
  }
}
