package import FluxCore

/// An asynchronous sequence of a state or of a part of it: the current value first, then newer
/// values.
///
/// ```swift
/// for await movies in store.values(of: \.movies) {
///   await show(movies)
/// }
///
/// for await query in store.values(of: \.query).debounced(for: .milliseconds(300)) {
///   await search(query)
/// }
/// ```
///
/// ``FluxCore/StateSource/states`` and `values(of:)` return a stream. A stream can be iterated
/// many times, from any task and any isolation.
///
/// - **Subscription.** Each iteration has a separate subscription, which begins when the
///   iterator is created.
/// - **Slow consumers.** A slow consumer does not delay other code. While the consumer is busy,
///   new values wait in a buffer. The buffer keeps only the newest value, unless
///   ``buffering(_:)`` sets another rule. Adding a value to the buffer is O(1), and runs on the
///   thread that delivers the value.
/// - **Order.** A consumer receives values in the order of the state's versions. When all
///   dispatches and deliveries have ended, a consumer whose buffer keeps the newest value
///   receives the latest value.
/// - **End.** Neither the stream nor an iterator keeps the store alive. When the store is
///   released, the sequence ends after the consumer has received the buffered values. When the
///   consuming task is canceled, the sequence ends immediately and permanently, and the
///   buffered values are dropped. Releasing the iterator ends the subscription.
/// - **Memory.** Buffered values share storage with the state. A stream that removes duplicates
///   also retains the last value, which shares storage with the state. The next time that a
///   shared collection is changed in place, the collection is copied.
public struct StateStream<Element: Sendable>: AsyncSequence, Sendable {
  /// The type of the errors, which is `Never` because a stream never fails.
  public typealias Failure = Never

  private struct Quiet: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>
  }

  private let subscribe: @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  private var areEqual: (@Sendable (Element, Element) -> Bool)?
  private var buffering = StreamBuffering.newest
  private var quiet: Quiet?

  /// Creates a stream of the values that a subscription delivers.
  package init(
    by areEqual: (@Sendable (Element, Element) -> Bool)? = nil,
    _ subscribe: @escaping @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  ) {
    self.subscribe = subscribe
    self.areEqual = areEqual
  }

  /// Creates an iterator, subscribes it to the values, and adds the current value to its
  /// buffer.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = StateMailbox<Element>(
      StateMailboxRules(buffering: buffering, quiet: quiet?.duration),
      on: quiet.map { quiet in Timeline(quiet.clock) })
    let token = subscribe(StreamInlet(mailbox, by: areEqual).receive)
    return Iterator(mailbox: mailbox, token: token, areEqual: areEqual)
  }

  // MARK: - Other streams

  /// Returns a stream with a different rule for the values to keep while the consumer is busy.
  ///
  /// A ``debounced(for:clock:)`` stream keeps only the newest value, regardless of this rule.
  public func buffering(_ buffering: StreamBuffering) -> StateStream {
    var stream = self
    stream.buffering = buffering
    return stream
  }

  /// Returns a stream that omits each value that a comparison considers equal to the last value
  /// that the consumer received.
  ///
  /// A value that equals the previous value does not enter the buffer, and does not resume the
  /// consumer.
  ///
  /// - Parameter areEqual: A closure that returns whether two values count as equal. The closure
  ///   replaces any earlier comparison. The closure must be an equivalence relation, as `==` is.
  ///   The closure runs outside any lock, on the thread that delivers a value and in the task of
  ///   the consumer.
  public func removingDuplicates(
    by areEqual: @escaping @Sendable (_ old: Element, _ new: Element) -> Bool
  ) -> StateStream {
    var stream = self
    stream.areEqual = areEqual
    return stream
  }

  /// Returns a stream that delivers a value only if no newer value arrives for a duration.
  ///
  /// The first value of the stream is delayed too. The duration begins when the value arrives,
  /// even if the consumer requests the value later. When the store is released, a buffered value
  /// is available immediately. In a stream without duplicates, a value that equals the previous
  /// value does not restart the duration. If the clock throws an error, the value is available
  /// immediately.
  ///
  /// - Parameters:
  ///   - duration: The time that must pass without a new value. If the duration is zero or
  ///     negative, values are not delayed.
  ///   - clock: The clock that measures the duration.
  public func debounced(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> StateStream {
    var stream = self
    stream.quiet = Quiet(duration: duration, clock: clock)
    return stream
  }
}

extension StateStream where Element: Equatable {
  /// Returns a stream that omits each value that is equal to the last value that the consumer
  /// received.
  public func removingDuplicates() -> StateStream {
    removingDuplicates(by: ==)
  }
}
