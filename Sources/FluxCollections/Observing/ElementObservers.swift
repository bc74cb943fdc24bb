public import FluxCore

/// Observers of single elements of a list in a store's state.
///
/// ```swift
/// let todos = ElementObservers(of: store) { $0.todos }
///
/// let token = todos.subscribe(to: "5") { todo in show(todo) }
/// ```
///
/// Create one `ElementObservers` object for each list, and share the object. It uses a single
/// subscription to the store for all its observers. After a change, the object reads the
/// changed ids from the journal of the list. An observer whose element did not change costs
/// nothing, regardless of the number of observers. If the journal does not reach back to the
/// previous version, every observed element is compared. This is the case after
/// ``OrderedState/setAll(_:)``, or after a jump in the history.
///
/// An observer is called when its element has changed. It is called with `nil` when the element
/// was removed, and with the element when it was inserted again. It is not called when the
/// element was only moved. The rules for subscriptions to a store apply:
/// - Calls are made on the delivering thread, outside any lock. An observer receives one call
///   at a time, in the order of the versions.
/// - Nested and concurrent dispatches can be coalesced.
/// - Releasing a token cancels its subscription.
///
/// Observers of the same id are called in the order in which they subscribed.
///
/// The object retains the version of the list that it delivered last, so the next change of the
/// list copies a few small arrays. The object does not retain the store. It exists until your
/// code has released both the object and all its tokens.
public final class ElementObservers<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline let registry: ElementRegistry<Element>
  @usableFromInline let token: SubscriptionToken

  /// Creates the observers of a list, with a closure that compares elements.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. It is called after each action.
  ///   - areEqual: A closure that returns whether two values of an element are equal.
  @inlinable
  public init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>,
    by areEqual: @escaping @Sendable (Element, Element) -> Bool
  ) {
    let registry = ElementRegistry(ElementComparison<Element>(by: areEqual))
    self.registry = registry
    token = source.subscribe(to: list, by: { $0.stamp == $1.stamp }) { list in registry.receive(list) }
  }

  /// Creates the observers of a list.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. It is called after each action.
  @inlinable
  public convenience init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>
  ) where Element: Equatable {
    self.init(of: source, list: list, by: ==)
  }

  /// Calls a closure with the element that has an id, and again after each change of the
  /// element.
  ///
  /// In the first call, the closure receives the element from the version that was delivered
  /// last, so that all observers of the list show the same version. Inside a batch, this
  /// version is not the newest version of the store. The newest version is delivered after the
  /// batch.
  ///
  /// Subscribing is amortized O(1). Canceling is amortized O(1) if the id has few observers.
  ///
  /// - Parameters:
  ///   - id: The id of the element, which does not have to be in the list.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     element, or with `nil`, before this method returns.
  ///   - receive: A closure that is called with the element, or with `nil` when the element was
  ///     removed.
  /// - Returns: A token that keeps the subscription and these observers alive.
  public func subscribe(
    to id: Element.ID, initial: Bool = true, _ receive: @escaping @Sendable (Element?) -> Void
  ) -> SubscriptionToken {
    let observer = registry.add(id, initial: initial, receive)
    return SubscriptionToken { [self] in registry.remove(observer, of: id) }
  }
}
