/// How often work is tried again when it throws, and how long it waits before that.
///
/// Each failed attempt that another one follows is dispatched as ``/FluxCore/WorkAttemptFailed``, for logs.
///
/// ```swift
/// .retrying(.times(3))
/// .retrying(.times(5, backoff: .exponential(from: .milliseconds(200), jitter: 0.5)) { $0 is URLError })
/// ```
public struct Retry: Sendable {
  let times: Int
  let backoff: Backoff
  let isWorthIt: @Sendable (any Error) -> Bool

  /// Tries again up to so many times after the first: the last error is what the work has failed with.
  ///
  /// - Parameters:
  ///   - times: How often to try again at most; numbers below 0 count as 0.
  ///   - backoff: How long to wait before each.
  ///   - isWorthIt: Whether an error is one that may go away. A work that is cancelled is never tried again.
  public static func times(
    _ times: Int, backoff: Backoff = .exponential(),
    if isWorthIt: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) -> Retry {
    Retry(times: max(0, times), backoff: backoff, isWorthIt: isWorthIt)
  }
}

/// How long to wait before something is tried again.
public struct Backoff: Sendable, Hashable {
  private let first: Duration
  private let factor: Double
  private let longest: Duration
  private let jitter: Double

  /// The same wait each time.
  public static func constant(_ wait: Duration, jitter: Double = 0) -> Backoff {
    Backoff(first: wait, factor: 1, longest: wait, jitter: jitter)
  }

  /// A wait that grows by a factor each time.
  ///
  /// - Parameters:
  ///   - first: The first wait.
  ///   - factor: By how much each is longer than the one before; below 1 it counts as 1.
  ///   - longest: The longest wait.
  ///   - jitter: Which part of a wait is left to chance, from 0 to 1: with 0.5 it is something between half and all of
  ///     it, so that many who failed together do not come back together.
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

  /// How long to wait.
  ///
  /// O(n) for n failures, until the longest wait is reached.
  ///
  /// - Parameters:
  ///   - failures: How often it has failed, from 1 on.
  ///   - chance: A number from 0 to 1 for the part that is left to chance: 0 gives the longest wait.
  public func wait(afterFailures failures: Int, chance: Double) -> Duration {
    var wait = min(first, longest)
    for _ in 1..<max(1, failures) {
      guard wait < longest, factor > 1, wait > .zero else { break }
      // Compared before it is multiplied, so that nothing overflows.
      wait = wait > longest / factor ? longest : wait * factor
    }
    let saved = jitter * min(1, max(0, chance))
    // Multiplying by 1 would round.
    return saved == 0 ? wait : wait * (1 - saved)
  }
}
