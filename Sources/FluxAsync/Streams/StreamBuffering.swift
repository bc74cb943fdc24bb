/// What a stream keeps of the values that come while its consumer is busy.
///
/// ```swift
/// for await movies in store.values(of: \.movies).buffering(.unbounded) { … }
/// ```
///
/// Whatever it is, a value costs O(1) when it comes (amortised, for ``unbounded``), and whoever dispatches waits for no
/// consumer. What is kept shares storage with the state: the next in-place change of a shared collection copies it.
public struct StreamBuffering: Sendable, Hashable {
  package enum Policy: Sendable, Hashable {
    case newest(Int)
    case oldest(Int)
    case unbounded
  }

  package let policy: Policy

  /// Keeps the newest value only: each takes the place of the one before.
  public static let newest = StreamBuffering(policy: .newest(1))

  /// Keeps the newest values, so many: when there are more, the oldest of them is dropped.
  ///
  /// - Parameter count: How many. Less than one counts as one.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .newest(max(1, count)))
  }

  /// Keeps the values that came first, so many: while they wait, newer ones are dropped.
  ///
  /// The consumer may then end up with a value that is not the newest.
  ///
  /// - Parameter count: How many. Less than one counts as one.
  public static func oldest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .oldest(max(1, count)))
  }

  /// Keeps every value, and so as much memory as a consumer is late.
  public static let unbounded = StreamBuffering(policy: .unbounded)
}
