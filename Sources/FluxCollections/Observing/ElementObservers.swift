public import FluxCore

/// Observers of single elements of a list in a store's state, each of which hears of its own element only.
///
/// ```swift
/// let todos = ElementObservers(of: store) { $0.todos }
///
/// let token = todos.subscribe(to: "5") { todo in show(todo) }
/// ```
///
/// Make one for each list, and share it: it subscribes to the store once, for all of them. After a change it
/// asks the list's journal which ids have changed, so that an observer whose element is left alone costs
/// nothing, however many of them there are. Where the journal does not reach, after
/// ``OrderedState/setAll(_:)`` or a jump in the history, every observed element is compared.
///
/// An observer is called when its element has changed, with `nil` when it has been removed, and again when it
/// comes back; not when it has only moved. What is said of subscriptions to a store holds here too: calls
/// come on the thread that delivers, outside of any lock, one at a time for each observer, in the order of
/// the versions; nested and concurrent dispatches may be coalesced; dropping a token cancels. Observers of
/// the same id are called in the order in which they subscribed.
///
/// It keeps the version of the list that it was last told of, so that the next change of the list copies a
/// few small arrays. It does not keep the store alive, and lives for as long as it is kept, or one of its
/// tokens is.
public final class ElementObservers<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline let registry: ElementRegistry<Element>
  @usableFromInline let token: SubscriptionToken

  /// Creates the observers of a list whose elements a comparison tells apart.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy.
  ///   - list: A key path or a closure that gives the list. It runs after each action.
  ///   - areEqual: Whether two values of an element count as equal.
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
  ///   - source: A store, or a proxy.
  ///   - list: A key path or a closure that gives the list. It runs after each action.
  @inlinable
  public convenience init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>
  ) where Element: Equatable {
    self.init(of: source, list: list, by: ==)
  }

  /// Calls a closure with the element with an id now, and each time that it has changed.
  ///
  /// The first call is of the version that the others were last told of, so that all who observe the list show
  /// one version of it: inside a batch, that is not the store's newest, which follows.
  ///
  /// O(1), amortised, and so is cancelling with few observers of the same id.
  ///
  /// - Parameters:
  ///   - id: The id of the element, which need not be in the list.
  ///   - initial: Whether to begin with the element, or `nil` if there is none, before this returns.
  ///   - receive: Is called with the element; with `nil` when it has been removed.
  /// - Returns: The token that keeps the subscription, and with it these observers.
  public func subscribe(
    to id: Element.ID, initial: Bool = true, _ receive: @escaping @Sendable (Element?) -> Void
  ) -> SubscriptionToken {
    let observer = registry.add(id, initial: initial, receive)
    return SubscriptionToken { [self] in registry.remove(observer, of: id) }
  }
}
