import FluxAsync
import Testing

@Suite("Waits before another attempt")
struct BackoffTests {
  @Test("a constant wait has the same length each time")
  func constant() {
    let backoff = Backoff.constant(.seconds(2))
    #expect(
      (1...3).map { backoff.wait(afterFailures: $0, chance: 0.7) } == Array(repeating: .seconds(2), count: 3))
  }

  @Test("an exponential wait grows by its factor up to its maximum")
  func exponential() {
    let backoff = Backoff.exponential(from: .seconds(1), factor: 2, upTo: .seconds(10))
    #expect(
      (1...6).map { backoff.wait(afterFailures: $0, chance: 0) }
        == [1, 2, 4, 8, 10, 10].map { Duration.seconds($0) })
    #expect(backoff.wait(afterFailures: .max, chance: 0) == .seconds(10))
  }

  @Test("jitter varies a part of the wait at random, and never makes it longer")
  func jitter() {
    let backoff = Backoff.constant(.seconds(4), jitter: 0.5)
    #expect(backoff.wait(afterFailures: 1, chance: 0) == .seconds(4))
    #expect(backoff.wait(afterFailures: 1, chance: 0.5) == .seconds(3))
    #expect(backoff.wait(afterFailures: 1, chance: 1) == .seconds(2))
  }

  @Test("invalid parameters are replaced by the nearest valid values")
  func bounds() {
    #expect(Backoff.constant(.seconds(-4)).wait(afterFailures: 1, chance: 0) == .zero)
    #expect(Backoff.constant(.seconds(4), jitter: 9).wait(afterFailures: 0, chance: 9) == .zero)
    let shrinking = Backoff.exponential(from: .seconds(4), factor: 0.1, upTo: .seconds(1))
    #expect(shrinking.wait(afterFailures: 3, chance: 0) == .seconds(1))
    let huge = Backoff.exponential(from: .seconds(Int64.max / 2), factor: 1e9, upTo: .seconds(Int64.max))
    #expect(huge.wait(afterFailures: 9, chance: 0) == .seconds(Int64.max))
  }
}
