import Foundation
import Fuzzing
import TestSupport
import Testing

@Suite("Invalid inputs")
struct FuzzTests {
  // Fixed, so that the inputs are the same each time. `Benchmarks/fuzz` uses others, and many
  // more.
  private static let seed: UInt64 = 8

  @Test(
    "each input is accepted or refused with the documented error, and existing data is kept",
    arguments: FuzzTarget.all)
  func promises(target: FuzzTarget) async throws {
    let verdicts = try await target.run(4_000, seed: Self.seed)
    // Both results occurred, so the inputs were neither all valid nor all invalid.
    #expect(verdicts[.accepted, default: 0] > 50, "\(verdicts)")
    #expect(verdicts.count > 1, "\(verdicts)")
    #expect(verdicts.values.reduce(0, +) == 4_000)
  }

  @Test("the same seed makes the same inputs, even from the middle on")
  func repeats() async throws {
    var makers = (0..<2).map { _ in
      InputMaker(examples: [#"{"b":[1,2],"a":{"c":null}}"#].map { Data($0.utf8) }, words: [], seed: 3)
    }
    for _ in 0..<2_000 { #expect(makers[0].next() == makers[1].next()) }
    let target = FuzzTarget.all[0]
    let whole = try await target.run(300, seed: 5)
    let first = try await target.run(100, seed: 5)
    let rest = try await target.run(200, seed: 5, from: 100)
    #expect(whole == first.merging(rest, uniquingKeysWith: +))
  }
}

extension FuzzTarget: CustomTestStringConvertible {
  /// The name of the reader.
  public var testDescription: String { name }
}
