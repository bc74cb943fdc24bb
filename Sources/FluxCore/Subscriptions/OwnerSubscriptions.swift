import Synchronization

/// A table that contains the subscriptions of owners in a store, and that can cancel all
/// subscriptions of one owner.
///
/// An observer retains its entry, and the table holds a weak reference to the entry. When the
/// observer is released for any reason, the entry is removed from the table.
package final class OwnerSubscriptions: Sendable {
  private struct Contents: Sendable {
    var entries: [ObjectIdentifier: [UInt64: Entry]] = [:]
    var lastNumber: UInt64 = 0
  }

  private struct Entry: Sendable {
    weak var subscription: OwnerSubscription?
  }

  private let contents = Locked(Contents())

  fileprivate func insert(_ subscription: OwnerSubscription) -> UInt64 {
    contents.withLock { contents in
      contents.lastNumber += 1
      contents.entries[subscription.owner, default: [:]][contents.lastNumber] = Entry(
        subscription: subscription)
      return contents.lastNumber
    }
  }

  fileprivate func remove(_ number: UInt64, of owner: ObjectIdentifier) {
    contents.withLock { contents in
      contents.entries[owner]?[number] = nil
      if contents.entries[owner]?.isEmpty == true { contents.entries[owner] = nil }
    }
  }

  /// Cancels the subscriptions of an owner in the order in which they were created.
  func cancelAll(of owner: ObjectIdentifier) {
    let entries = contents.withLock { $0.entries[owner] } ?? [:]
    for entry in entries.sorted(by: { $0.key < $1.key }) { entry.value.subscription?.cancel() }
  }

  /// The number of subscriptions that have not been canceled.
  package var count: Int { contents.withLock { $0.entries.values.reduce(0) { $0 + $1.count } } }
}

/// A subscription that belongs to an owner.
@usableFromInline
final class OwnerSubscription: Sendable {
  private struct Cancel: Sendable {
    let call: @Sendable () -> Void
  }

  private struct Contents: Sendable {
    var number: UInt64?
    var cancel: Cancel?
    var isCancelled = false
  }

  let owner: ObjectIdentifier
  private let table: OwnerSubscriptions
  private let contents = Locked(Contents())

  @usableFromInline
  init(owner: ObjectIdentifier, in context: ActionContext) {
    self.owner = owner
    table = context.ownerSubscriptions
  }

  deinit {
    if let number = contents.withLock({ $0.number }) { table.remove(number, of: owner) }
  }

  /// Adds the subscription to the table before the observer's first call, so that the first call
  /// can cancel the subscription.
  @usableFromInline
  func begin(cancelling cancel: @escaping @Sendable () -> Void) {
    let number = table.insert(self)
    contents.withLock { contents in
      contents.number = number
      contents.cancel = Cancel(call: cancel)
    }
  }

  /// Keeps the subscription active without its token, unless the subscription was canceled
  /// before the observer was added.
  @usableFromInline
  func keep(_ token: SubscriptionToken) {
    if contents.withLock({ $0.isCancelled }) { token.cancel() } else { token.keepUntilCancelled() }
  }

  func cancel() {
    let cancel = contents.withLock { contents in
      contents.isCancelled = true
      return contents.cancel.take()
    }
    cancel?.call()
  }
}

extension ActionContext {
  /// The store's subscriptions that belong to owners.
  package var ownerSubscriptions: OwnerSubscriptions {
    attachment(OwnerSubscriptions.self) { OwnerSubscriptions() }
  }
}

extension StateSource {
  /// Cancels every subscription that an owner has in the store.
  ///
  /// ```swift
  /// func viewWillAppear() { store.subscribe(owner: self, to: \.movies) { $0.show($1) } }
  /// func viewWillDisappear() { store.unsubscribe(owner: self) }
  /// ```
  ///
  /// The method cancels only subscriptions that were created with an owner, through the store,
  /// its proxies, or its shared slices. If the owner has no subscriptions, the method does
  /// nothing. The owner can subscribe again afterward.
  ///
  /// Each subscription ends as it does with ``SubscriptionToken/cancel()``: after this method
  /// returns, the delivering thread makes no further call. A call that is already running on
  /// another thread can finish. Subscription closures can call this method. The method takes O(k
  /// log n) time for k subscriptions of the owner and n observers of the store.
  ///
  /// The name comes from ReSwift.
  ///
  /// - Parameter owner: The object that was passed to `subscribe(owner:)`.
  public func unsubscribe(owner: AnyObject) {
    _proxy.context.ownerSubscriptions.cancelAll(of: ObjectIdentifier(owner))
  }

  @inlinable
  func subscribe(_ observer: _StateObserver<State>, for owner: AnyObject) {
    let subscription = OwnerSubscription(owner: ObjectIdentifier(owner), in: _proxy.context)
    let token = _subscribe(
      _StateObserver { cancel in
        subscription.begin(cancelling: cancel)
        let calls = observer.calls(cancel)
        return .init(
          first: calls.first,
          receive: { state in withExtendedLifetime(subscription) { calls.receive(state) } })
      })
    subscription.keep(token)
  }

  @inlinable @MainActor
  func subscribe(_ observer: _MainStateObserver<State>, for owner: AnyObject) {
    let subscription = OwnerSubscription(owner: ObjectIdentifier(owner), in: _proxy.context)
    let token = _subscribeOnMain(
      _MainStateObserver { cancel in
        subscription.begin(cancelling: cancel)
        let calls = observer.calls(cancel)
        return .init(
          first: calls.first,
          receive: { state in withExtendedLifetime(subscription) { calls.receive(state) } })
      })
    subscription.keep(token)
  }
}
