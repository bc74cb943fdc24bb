public import FluxCore

/// Observers of single elements of a list in a store's state.
///
/// ```swift
/// let todos = ElementObservers(of: store) { $0.todos }
///
/// let token = todos.subscribe(to: "5") { todo in show(todo) }
/// ```
///
/// Create one `ElementObservers` object for each list, and share the object. The object uses a
/// single subscription to the store for all its observers. After a change, the object reads the
/// changed ids from the journal of the list. An observer costs nothing while its element does
/// not change, regardless of the number of observers. If the journal does not reach back to the
/// previous version, every observed element is compared. For example, every element is compared
/// after a call to ``OrderedState/setAll(_:)``, or after a jump in the history.
///
/// An observer is called when its element has changed. The observer receives `nil` when the
/// element is removed, and receives the element when it is inserted again. The observer is not
/// called when the element is only moved. The rules for subscriptions to a store apply:
/// - Calls are made on the delivering thread, outside any lock. An observer receives one call
///   at a time, in the order of the versions.
/// - Nested and concurrent dispatches can be coalesced.
/// - Releasing a token cancels its subscription.
///
/// Observers of the same id are called in the order in which they subscribed. Observers that
/// subscribe with `onMain:` are called on the main actor, after the other observers.
///
/// The object keeps a copy of the most recently delivered version of the list. A list stores its
/// elements in arrays of up to 64 elements. The list and the copy share each array in which no
/// element has changed since the object was created. The first change in an array copies the
/// array, and later changes are made in place. The object does not retain the store. The object
/// exists until your code has released both the object and all its tokens.
public final class ElementObservers<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline let registry: ElementRegistry<Element>
  /// The subscription to the store, or `nil` if other code delivers the versions of the list.
  @usableFromInline let token: SubscriptionToken?
  /// The observers on the main actor.
  @usableFromInline let mainRegistry: MainElementRegistry<Element>

  /// Creates the observers of a list, with a closure that compares elements.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. The closure is called after each
  ///     action.
  ///   - areEqual: A closure that returns whether two values of an element are equal.
  @inlinable
  public init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>,
    by areEqual: @escaping @Sendable (Element, Element) -> Bool
  ) {
    let comparison = ElementComparison<Element>(by: areEqual)
    let registry = ElementRegistry(comparison)
    self.registry = registry
    let proxy = source._proxy
    mainRegistry = MainElementRegistry(comparison) { receive in
      proxy.subscribe(onMain: { state in receive(list(state)) })
    }
    token = source.subscribe { state in registry.receive(list(state)) }
  }

  /// Creates the observers of a list.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy.
  ///   - list: A key path or a closure that returns the list. The closure is called after each
  ///     action.
  @inlinable
  public convenience init<Source: StateSource>(
    of source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>
  ) where Element: Equatable {
    self.init(of: source, list: list, by: ==)
  }

  /// Creates the observers of a list whose versions are delivered by ``receive(_:)``.
  ///
  /// - Parameters:
  ///   - source: A store or a proxy, for the observers on the main actor.
  ///   - list: A closure that returns the list.
  ///   - areEqual: A closure that returns whether two values of an element are equal.
  @inlinable
  package init<Source: StateSource>(
    deliveredFrom source: Source, list: @escaping @Sendable (Source.State) -> OrderedState<Element>,
    by areEqual: @escaping @Sendable (Element, Element) -> Bool
  ) {
    let comparison = ElementComparison<Element>(by: areEqual)
    registry = ElementRegistry(comparison)
    let proxy = source._proxy
    mainRegistry = MainElementRegistry(comparison) { receive in
      proxy.subscribe(onMain: { state in receive(list(state)) })
    }
    token = nil
  }

  /// Calls the observers of the elements that differ in a newer version of the list.
  ///
  /// The calls of this method must not overlap.
  @inlinable
  package func receive(_ list: OrderedState<Element>) {
    registry.receive(list)
  }

  /// Calls a closure with the element that has an id, and again after each change of the
  /// element.
  ///
  /// In the first call, the closure receives the element from the most recently delivered
  /// version, so that all observers of the list show the same version. Inside a batch, the last
  /// delivered version can be older than the store's newest version. The newest version is
  /// delivered after the batch.
  ///
  /// Subscribing is amortized O(1). Canceling is amortized O(1) if the id has few observers.
  ///
  /// - Parameters:
  ///   - id: The id of the element, which does not have to be in the list.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     element before this method returns.
  ///   - receive: A closure that receives the element, or `nil` if the list does not contain the
  ///     element.
  /// - Returns: A token that keeps the subscription and these observers alive.
  public func subscribe(
    to id: Element.ID, initial: Bool = true, _ receive: @escaping @Sendable (Element?) -> Void
  ) -> SubscriptionToken {
    let observer = registry.add(id, initial: initial, receive)
    return SubscriptionToken { [self] in registry.remove(observer, of: id) }
  }

  /// Calls a closure on the main actor with the element that has an id, and again after each
  /// change of the element.
  ///
  /// The rules for subscriptions on the main actor apply:
  /// - The closure does not have to be `Sendable`, and is called for the first time before this
  ///   method returns.
  /// - Later calls are made only for the newest version, and can be made after `dispatch` has
  ///   returned.
  ///
  /// In the first call, the closure receives the element from the version that the other
  /// observers on the main actor show. If the store has a newer version, the newer version is
  /// delivered later.
  ///
  /// Subscribing is amortized O(1).
  ///
  /// - Parameters:
  ///   - id: The id of the element, which does not have to be in the list.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     element before this method returns.
  ///   - receive: A closure that is called with the element, or with `nil` when the element was
  ///     removed.
  /// - Returns: A token that keeps the subscription and these observers alive. If another
  ///   thread cancels the token, a call that is already running can finish.
  @_disfavoredOverload @MainActor
  public func subscribe(
    to id: Element.ID, initial: Bool = true, onMain receive: @escaping @MainActor (Element?) -> Void
  ) -> SubscriptionToken {
    mainRegistry.connect(startingWith: registry.delivered)
    let observer = mainRegistry.add(id, receive)
    if initial { receive(mainRegistry.element(id)) }
    return SubscriptionToken { [self] in
      observer.cancel()
      startOnMainActor { self.mainRegistry.remove(observer, of: id) }
    }
  }
}
