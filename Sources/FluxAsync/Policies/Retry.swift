import FluxCore

/// A rule for the number of retries of failed work, and for the delay before each retry.
///
/// If a failed attempt is followed by another attempt, the failure is dispatched as a
/// ``/FluxCore/WorkAttemptFailed``, so that logs show the failure.
///
/// ```swift
/// .retrying(.times(3))
/// .retrying(.times(5, backoff: .exponential(from: .milliseconds(200), jitter: 0.5)) { $0 is URLError })
/// ```
public struct Retry: Sendable {
  let times: Int
  let backoff: Backoff
  let isWorthIt: @Sendable (any Error) -> Bool

  /// Returns a rule that allows a number of retries.
  ///
  /// If the last attempt fails, the work fails with the error of the last attempt.
  ///
  /// - Parameters:
  ///   - times: The maximum number of retries after the first attempt. A number less than 0
  ///     counts as 0.
  ///   - backoff: The delay before each retry.
  ///   - isWorthIt: A closure that returns whether a retry can succeed after an error. Canceled
  ///     work is never retried.
  public static func times(
    _ times: Int, backoff: Backoff = .exponential(),
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> Retry {
    Retry(times: max(0, times), backoff: backoff, isWorthIt: isWorthIt)
  }
}

/// A rule for the delay before a retry.
public struct Backoff: Sendable, Hashable {
  private let first: Duration
  private let factor: Double
  private let longest: Duration
  private let jitter: Double

  /// Returns a rule with the same delay before each retry.
  public static func constant(_ wait: Duration, jitter: Double = 0) -> Backoff {
    Backoff(first: wait, factor: 1, longest: wait, jitter: jitter)
  }

  /// Returns a rule with a delay that grows by a factor with each retry.
  ///
  /// - Parameters:
  ///   - first: The delay before the first retry.
  ///   - factor: The factor by which the delay grows. A factor less than 1 counts as 1.
  ///   - longest: The longest delay.
  ///   - jitter: The random fraction of each delay, from 0 to 1. With a value of 0.5, each delay
  ///     is between half of its length and its full length. Jitter prevents clients that failed
  ///     at the same time from retrying at the same time.
  public static func exponential(
    from first: Duration = .milliseconds(500), factor: Double = 2, upTo longest: Duration = .seconds(30),
    jitter: Double = 0
  ) -> Backoff {
    Backoff(first: first, factor: max(1, factor), longest: longest, jitter: jitter)
  }

  private init(first: Duration, factor: Double, longest: Duration, jitter: Double) {
    self.first = max(.zero, first)
    self.factor = factor
    self.longest = max(.zero, longest)
    self.jitter = min(1, max(0, jitter))
  }

  /// Returns the delay after a number of failures.
  ///
  /// The method is O(n) for n failures, but stops counting when the longest delay is reached.
  ///
  /// - Parameters:
  ///   - failures: The number of failures, starting from 1.
  ///   - chance: A number from 0 to 1 that determines the random fraction. If the number is 0,
  ///     the delay has its full length.
  public func wait(afterFailures failures: Int, chance: Double) -> Duration {
    var wait = min(first, longest)
    for _ in 1..<max(1, failures) {
      guard wait < longest, factor > 1, wait > .zero else { break }
      // The comparison before the multiplication prevents an overflow.
      wait = wait > longest / factor ? longest : wait * factor
    }
    let saved = jitter * min(1, max(0, chance))
    // Multiplying the duration by 1 could round it.
    return saved == 0 ? wait : wait * (1 - saved)
  }
}

extension Backoff {
  /// Returns a random number from 0 to 1, or 0 in a test that controls every step.
  @usableFromInline package static let chance: @Sendable () -> Double = {
    Timeline.ofTest == nil ? Double.random(in: 0..<1) : 0
  }
}
