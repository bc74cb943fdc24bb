/// A running subscription: dropping the token cancels it.
///
/// Keep it for as long as the closure is to be called, in a property or with ``store(in:)`` in a set.
public final class SubscriptionToken: Sendable {
  private let cancellation: Locked<(@Sendable () -> Void)?>

  @usableFromInline
  init(_ cancel: (@Sendable () -> Void)?) {
    cancellation = Locked(cancel)
  }

  /// Creates a token that calls a closure once when it is cancelled or dropped.
  package init(cancelling cancel: @escaping @Sendable () -> Void) {
    cancellation = Locked(cancel)
  }

  deinit {
    cancel()
  }

  /// Ends the subscription.
  ///
  /// When it returns, no further call is made on the thread that delivers; a call that is already running on
  /// another thread may finish. Cancelling twice, or from inside the subscription's own closure, is fine. What
  /// the closure captured is released outside any lock. O(log n) for n observers.
  public func cancel() {
    // Run first and forgotten after: who cancels at the same time finds it, and waits for the store's lock too.
    cancellation.withLock { $0 }?()
    _ = cancellation.exchange(nil)
  }

  /// Lets the token go without ending the subscription, which then ends only from inside or with the store.
  @usableFromInline
  func keepUntilCancelled() {
    _ = cancellation.exchange(nil)
  }

  /// Keeps the token in a set, and so the subscription for as long as the set.
  public func store(in tokens: inout Set<SubscriptionToken>) {
    tokens.insert(self)
  }
}

extension SubscriptionToken: Hashable {
  /// Whether the two are the same token.
  public static func == (left: SubscriptionToken, right: SubscriptionToken) -> Bool { left === right }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
