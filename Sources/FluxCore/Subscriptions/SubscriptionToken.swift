/// A token that keeps a subscription alive, and cancels the subscription when the token is
/// released.
///
/// Keep the token in a property, or in a set with ``store(in:)``, for as long as the closure
/// must be called.
public final class SubscriptionToken: Sendable {
  private let cancellation: Locked<(@Sendable () -> Void)?>

  @usableFromInline
  init(_ cancel: (@Sendable () -> Void)?) {
    cancellation = Locked(cancel)
  }

  /// Creates a token that calls a closure once when the token is canceled or released.
  package init(cancelling cancel: @escaping @Sendable () -> Void) {
    cancellation = Locked(cancel)
  }

  deinit {
    cancel()
  }

  /// Cancels the subscription.
  ///
  /// After this method returns, the delivering thread makes no further call. A call that is
  /// already running on another thread can finish. You can cancel a token more than once, and
  /// from inside the subscription's closure. The values that the closure captured are released
  /// outside any lock. Canceling takes O(log n) time for n observers.
  public func cancel() {
    // The closure is removed only after the call. Therefore, a thread that cancels at the same
    // time also calls the closure, and waits for the store's lock.
    cancellation.withLock { $0 }?()
    _ = cancellation.exchange(nil)
  }

  /// Detaches the token from the subscription, so that releasing the token does not cancel the
  /// subscription.
  ///
  /// After this call, the subscription ends only when other code cancels it, or when the store
  /// is released.
  @usableFromInline
  func keepUntilCancelled() {
    _ = cancellation.exchange(nil)
  }

  /// Stores the token in a set, which keeps the subscription alive.
  public func store(in tokens: inout Set<SubscriptionToken>) {
    tokens.insert(self)
  }
}

extension SubscriptionToken: Hashable {
  /// Returns a Boolean value that indicates whether two values are the same token.
  public static func == (left: SubscriptionToken, right: SubscriptionToken) -> Bool { left === right }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
