public import FluxCore

/// Observers of single elements of a list in a store's state, on the main actor.
///
/// ```swift
/// let todos = MainElementObservers(of: store) { $0.todos }
///
/// let token = todos.subscribe(to: "5") { [unowned self] todo in label.text = todo?.text }
/// ```
///
/// What ``ElementObservers`` do on the thread that delivers, these do on the main actor, with what is said
/// there of subscriptions: closures need not be `Sendable`, the first call is made before `subscribe`
/// returns, and later ones may come after `dispatch` has returned, for the newest version only.
@MainActor
public final class MainElementObservers<Element: Identifiable & Sendable> where Element.ID: Sendable {
  private let registry: MainElementRegistry<Element>
  private let token: SubscriptionToken

  /// Creates the observers of a list whose elements a comparison tells apart.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy.
  ///   - list: A key path or a closure that gives the list. It runs on the main actor.
  ///   - areEqual: Whether two values of an element count as equal.
  public init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>,
    by areEqual: @escaping @Sendable (Element, Element) -> Bool
  ) {
    let registry = MainElementRegistry(ElementComparison<Element>(by: areEqual))
    self.registry = registry
    token = source.subscribe(
      to: list, by: { $0.stamp == $1.stamp }, onMain: { list in registry.receive(list) })
  }

  /// Creates the observers of a list.
  ///
  /// - Parameters:
  ///   - source: A store, or a proxy.
  ///   - list: A key path or a closure that gives the list. It runs on the main actor.
  public convenience init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>
  ) where Element: Equatable {
    self.init(of: source, list: list, by: ==)
  }

  /// Calls a closure with the element with an id now, and each time that it has changed.
  ///
  /// The first call is of the version that the others were last told of, so that all who observe the list show
  /// one version of it: before what was dispatched is delivered, that is not the store's newest, which follows.
  ///
  /// O(1), amortised.
  ///
  /// - Parameters:
  ///   - id: The id of the element, which need not be in the list.
  ///   - initial: Whether to begin with the element, or `nil` if there is none, before this returns.
  ///   - receive: Is called with the element; with `nil` when it has been removed.
  /// - Returns: The token that keeps the subscription, and with it these observers. Cancelled from another
  ///   thread, it may let a call that has begun finish.
  public func subscribe(
    to id: Element.ID, initial: Bool = true, _ receive: @escaping @MainActor (Element?) -> Void
  ) -> SubscriptionToken {
    let observer = registry.add(id, receive)
    if initial { receive(registry.element(id)) }
    return SubscriptionToken { [self] in
      observer.cancel()
      Task { @MainActor in self.registry.remove(observer, of: id) }
    }
  }
}
