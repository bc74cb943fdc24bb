package import FluxCore

/// The values of a state, or of a slice of it, as an asynchronous sequence: the value now first, then newer ones.
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
/// ``FluxCore/StateSource/states`` and `values(of:)` make one. It may be iterated many times,
/// from any task and any isolation.
///
/// - **Each iteration is a subscription of its own**, begun when the iterator is made.
/// - **A slow consumer holds nobody up.** Values that come while it is busy wait in a buffer, which keeps the newest only
///   unless ``buffering(_:)`` says otherwise. Taking a value in is O(1), and runs on the thread that delivers.
/// - **Order.** Values are given in the order of the state's versions. When the store is quiet, a consumer that keeps
///   the newest gets the last one.
/// - **The end.** Neither the stream nor an iterator keeps the store alive. When the store goes, the sequence ends after
///   what is buffered. When the consuming task is cancelled, it ends at once, for good, without what is buffered.
///   Dropping the iterator ends the subscription.
/// - **What is kept** in the buffer, and of a stream without duplicates the last value, shares storage with the state:
///   the next in-place change of a shared collection copies it.
public struct StateStream<Element: Sendable>: AsyncSequence, Sendable {
  /// A stream waits or ends, and never fails.
  public typealias Failure = Never

  private struct Quiet: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>
  }

  private let subscribe: @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  private var areEqual: (@Sendable (Element, Element) -> Bool)?
  private var buffering = StreamBuffering.newest
  private var quiet: Quiet?

  /// Creates the stream of what a way to subscribe calls its closure with.
  package init(
    by areEqual: (@Sendable (Element, Element) -> Bool)? = nil,
    _ subscribe: @escaping @Sendable (_ receive: @escaping @Sendable (Element) -> Void) -> SubscriptionToken
  ) {
    self.subscribe = subscribe
    self.areEqual = areEqual
  }

  /// Begins an iteration: subscribes, and takes the value now in.
  public func makeAsyncIterator() -> Iterator {
    let mailbox = StateMailbox<Element>(
      StateMailboxRules(buffering: buffering, quiet: quiet?.duration),
      on: quiet.map { quiet in Timeline(quiet.clock) })
    let token = subscribe(StreamInlet(mailbox, by: areEqual).receive)
    return Iterator(mailbox: mailbox, token: token, areEqual: areEqual)
  }

  // MARK: - Other streams

  /// The same stream, with another buffer for a consumer that is busy.
  ///
  /// A stream that is ``debounced(for:clock:)`` keeps the newest only, whatever this says.
  public func buffering(_ buffering: StreamBuffering) -> StateStream {
    var stream = self
    stream.buffering = buffering
    return stream
  }

  /// The same stream without the values that a comparison calls equal to the last one the consumer was given.
  ///
  /// What only repeats the value before is not taken in at all: it wakes nobody, and takes no place in the buffer.
  ///
  /// - Parameter areEqual: Whether two values count as equal, instead of any comparison that was there. It has to be an
  ///   equivalence, as `==` is. It runs outside any lock, on the thread that delivers and in the consumer.
  public func removingDuplicates(
    by areEqual: @escaping @Sendable (_ old: Element, _ new: Element) -> Bool
  ) -> StateStream {
    var stream = self
    stream.areEqual = areEqual
    return stream
  }

  /// The same stream, which gives only the newest value, once it has been quiet for a while.
  ///
  /// A value is given when none has come for `duration` since it came, on the clock, however late the consumer asks for
  /// it; the first one too. When the store goes, a value that waits is given at once. Of a stream without duplicates, a
  /// value that only repeats the one before does not break the quiet. If the clock fails, the value is given.
  ///
  /// - Parameters:
  ///   - duration: How long it has to be quiet. Nothing is held for zero or less.
  ///   - clock: What measures the time.
  public func debounced(
    for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> StateStream {
    var stream = self
    stream.quiet = Quiet(duration: duration, clock: clock)
    return stream
  }
}

extension StateStream where Element: Equatable {
  /// The same stream without the values that are equal to the last one the consumer was given.
  public func removingDuplicates() -> StateStream {
    removingDuplicates(by: ==)
  }
}
