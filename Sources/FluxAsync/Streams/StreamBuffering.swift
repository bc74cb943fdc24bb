/// A rule for the values that a stream keeps while its consumer is busy.
///
/// ```swift
/// for await movies in store.values(of: \.movies).buffering(.unbounded) { … }
/// ```
///
/// With every rule, adding a value to the buffer is O(1) (amortized for ``unbounded``), and a
/// dispatch does not wait for a consumer. Kept values share storage with the state: the next
/// in-place change of a shared collection copies the collection.
public struct StreamBuffering: Sendable, Hashable {
  package enum Policy: Sendable, Hashable {
    case newest(Int)
    case oldest(Int)
    case unbounded
  }

  package let policy: Policy

  /// A rule that keeps only the newest value.
  ///
  /// Each new value replaces the previous value.
  public static let newest = StreamBuffering(policy: .newest(1))

  /// Returns a rule that keeps a number of the newest values, and drops the oldest value when a
  /// new value exceeds that number.
  ///
  /// - Parameter count: The number of values to keep. A number less than 1 counts as 1.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .newest(max(1, count)))
  }

  /// Returns a rule that keeps a number of the oldest values, and drops newer values while the
  /// buffer is full.
  ///
  /// With this rule, the last value that the consumer receives is not always the newest value.
  ///
  /// - Parameter count: The number of values to keep. A number less than 1 counts as 1.
  public static func oldest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .oldest(max(1, count)))
  }

  /// A rule that keeps every value.
  ///
  /// The memory grows with the number of values that the consumer has not received.
  public static let unbounded = StreamBuffering(policy: .unbounded)
}
