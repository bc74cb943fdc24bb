/// A rule for the values that a stream keeps while its consumer is busy.
///
/// ```swift
/// for await movies in store.values(of: \.movies).buffering(.unbounded) { … }
/// ```
///
/// Adding a value to the buffer is O(1), or amortized O(1) for ``unbounded``. A dispatch never
/// waits for a consumer. Buffered values share storage with the state, so a shared collection is
/// copied the next time that it is changed in place.
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

  /// Returns a rule that keeps up to a given number of the newest values.
  ///
  /// When the buffer is full, a new value replaces the oldest value.
  ///
  /// - Parameter count: The number of values to keep. A number less than 1 counts as 1.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .newest(max(1, count)))
  }

  /// Returns a rule that keeps up to a given number of the oldest values.
  ///
  /// While the buffer is full, new values are dropped.
  ///
  /// With this rule, the last value that the consumer receives is not always the newest value.
  ///
  /// - Parameter count: The number of values to keep. A number less than 1 counts as 1.
  public static func oldest(_ count: Int) -> StreamBuffering {
    StreamBuffering(policy: .oldest(max(1, count)))
  }

  /// A rule that keeps every value.
  ///
  /// The buffer grows with the number of values that the consumer has not received.
  public static let unbounded = StreamBuffering(policy: .unbounded)
}
