public import FluxCore

/// Observers of single elements of a list in a store's state, on the main actor.
///
/// ```swift
/// let todos = MainElementObservers(of: store) { $0.todos }
///
/// let token = todos.subscribe(to: "5") { [unowned self] todo in label.text = todo?.text }
/// ```
///
/// These observers are the counterpart of ``ElementObservers`` on the main actor, with the
/// following differences:
/// - The closures do not have to be `Sendable`.
/// - The first call is made before `subscribe` returns.
/// - Later calls are made only for the newest version, and can be made after `dispatch` has
///   returned.
@MainActor
public final class MainElementObservers<Element: Identifiable & Sendable> where Element.ID: Sendable {
  private let registry: MainElementRegistry<Element>
  private let token: SubscriptionToken

  /// Creates the observers of a list, with a closure that compares elements.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. It is called on the main actor.
  ///   - areEqual: A closure that returns whether two values of an element are equal.
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
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. It is called on the main actor.
  public convenience init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>
  ) where Element: Equatable {
    self.init(of: source, list: list, by: ==)
  }

  /// Calls a closure with the element that has an id, and again after each change of the
  /// element.
  ///
  /// In the first call, the closure receives the element from the version that was delivered
  /// last, so that all observers of the list show the same version. If a newer version of the
  /// store has not been delivered yet, it is delivered later.
  ///
  /// Subscribing is amortized O(1).
  ///
  /// - Parameters:
  ///   - id: The id of the element, which does not have to be in the list.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     element, or with `nil`, before this method returns.
  ///   - receive: A closure that is called with the element, or with `nil` when the element was
  ///     removed.
  /// - Returns: A token that keeps the subscription and these observers alive. If another
  ///   thread cancels the token, a call that is already running can finish.
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
