public import FluxCore
import FluxQuery

/// The stores that the enclosing views provide to a view.
///
/// ```swift
/// let stores = ProvidedStores().providing(store).providing(settings.proxy(for: \.theme))
/// let todos = stores.store(of: AppState.self)
/// ```
///
/// A view that requests a state receives the most recently provided store whose state has
/// exactly the requested type. If no state has exactly the requested type, the view receives
/// the most recently provided store whose state can be cast to the requested type. For example,
/// the requested type can be a protocol that the state conforms to. A value of this type does
/// not keep the stores alive, and can be used on any thread.
public struct ProvidedStores: Sendable {
  /// A provided store, with the type of its state erased.
  private protocol Provided: Sendable {
    var dispatcher: ActionDispatcher { get }
    var description: String { get }
    var identity: any AnyObject & Sendable { get }
    var context: ActionContext { get }
    /// The closures through which dispatched actions pass, with the innermost closure first.
    var changes: [ActionChangePlace] { get }
    /// Returns the store without the closures, or `nil` if its state does not have the type.
    func proxy<State: Sendable>(of type: State.Type, exactly: Bool) -> StoreProxy<State>?
    func dispatching(through change: ActionChangePlace) -> any Provided
  }

  private struct ProvidedStore<State: Sendable>: Provided {
    let proxy: StoreProxy<State>
    let changes: [ActionChangePlace]

    var dispatcher: ActionDispatcher { ActionDispatcher(proxy, through: changes) }
    var description: String { "\(State.self)" }
    var identity: any AnyObject & Sendable { proxy.identity }
    var context: ActionContext { proxy.context }

    func proxy<Other: Sendable>(of type: Other.Type, exactly: Bool) -> StoreProxy<Other>? {
      proxy as? StoreProxy<Other> ?? (exactly ? nil : proxy.proxy(as: type))
    }

    func dispatching(through change: ActionChangePlace) -> any Provided {
      ProvidedStore(proxy: proxy, changes: [change] + changes)
    }
  }

  /// A store that was found for a view, with the closures of the enclosing views.
  struct Found<State: Sendable> {
    /// The proxy of the store, whose actions bypass the closures.
    let proxy: StoreProxy<State>
    /// The dispatcher that passes actions through the closures on the main actor.
    let dispatcher: ActionDispatcher
    /// The object that identifies the store.
    let identity: any AnyObject & Sendable
    let changes: [ActionChangePlace]
  }

  /// A closure that returns the action to dispatch instead of a given action, or `nil` to
  /// dispatch nothing.
  ///
  /// The closure runs on the main actor.
  public typealias ActionChange = @MainActor @Sendable (_ action: any Action) -> (any Action)?

  /// The provided stores, with the most recently provided store first.
  private var provided: [any Provided] = []

  /// Creates a value without a store.
  public init() {}

  /// Returns a copy that contains one more store.
  ///
  /// - Parameter source: A store, or a proxy for a part of its state.
  public func providing<State>(_ source: some StateSource<State>) -> ProvidedStores {
    var copy = self
    copy.provided.insert(ProvidedStore(proxy: source._proxy, changes: []), at: 0)
    return copy
  }

  /// Returns the same stores, with a closure that handles each action that views send to the
  /// stores.
  ///
  /// The closure returns the same action, another action to dispatch instead, or `nil` to
  /// dispatch nothing. The closure runs on the main actor, before the middleware of the store,
  /// and before the dispatch returns. If another thread dispatches, through
  /// ``ActionDispatcher/function`` or through a proxy from ``store(of:)``, the closure runs
  /// asynchronously. If several closures enclose a view, the innermost closure runs first. The
  /// closure does not receive the actions that the work of an action dispatches. The idea comes
  /// from SwiftDux.
  ///
  /// - Parameter perform: A closure that returns the action to dispatch, or `nil` to dispatch
  ///   nothing.
  public func onAction(perform: @escaping ActionChange) -> ProvidedStores {
    onAction(ActionChangePlace(perform))
  }

  /// Returns a copy whose actions pass through the closure that the given object currently holds.
  func onAction(_ place: ActionChangePlace) -> ProvidedStores {
    var copy = self
    copy.provided = provided.map { $0.dispatching(through: place) }
    return copy
  }

  // MARK: - Finding a store

  /// A Boolean value that indicates whether no store is provided.
  var isEmpty: Bool { provided.isEmpty }

  /// Returns the store for a type of state.
  ///
  /// The program stops if no provided store has a state of the type. The search is O(n) for n
  /// provided stores.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State> {
    let found = find(type)
    return found.proxy.dispatching(through: found.changes)
  }

  /// Returns the store for a type of state, or `nil` if no provided store has a state of the
  /// type.
  ///
  /// The search is O(n) for n provided stores. The name comes from SwiftDux.
  public func unwrap<State: Sendable>(as type: State.Type) -> StoreProxy<State>? {
    search(type).map { found in found.proxy.dispatching(through: found.changes) }
  }

  /// Returns the store for a type of state, and stops the program if no provided store has a
  /// state of the type.
  func find<State: Sendable>(_ type: State.Type) -> Found<State> {
    guard let found = search(type) else { Misuse.notProvided(type, in: self) }
    return found
  }

  private func search<State: Sendable>(_ type: State.Type) -> Found<State>? {
    for exactly in [true, false] {
      for store in provided {
        guard let proxy = store.proxy(of: type, exactly: exactly) else { continue }
        return Found(
          proxy: proxy, dispatcher: ActionDispatcher(proxy, through: store.changes),
          identity: store.identity, changes: store.changes)
      }
    }
    return nil
  }

  /// The context of the most recently provided store that has a cache of queries, or `nil` if no
  /// provided store has one.
  var contextOfQueries: ActionContext? { provided.lazy.map(\.context).first(where: \.hasQueryCache) }

  /// The dispatcher that sends actions to the most recently provided store.
  ///
  /// If no store is provided, dispatching an action stops the program.
  public var dispatcher: ActionDispatcher { provided.first?.dispatcher ?? ActionDispatcher() }
}

extension ProvidedStores: Equatable {
  /// Returns a Boolean value that indicates whether two values contain the same stores and
  /// closures.
  ///
  /// Equal values contain the stores in the same order, and closures from the same calls of
  /// ``onAction(perform:)``. If two values are equal, views show the same state and dispatch to
  /// the same stores with either value.
  public static func == (left: ProvidedStores, right: ProvidedStores) -> Bool {
    left.provided.elementsEqual(right.provided) { left, right in
      left.identity === right.identity && left.changes.elementsEqual(right.changes, by: ===)
    }
  }
}

extension ProvidedStores: CustomStringConvertible {
  /// The types of the states, with the most recently provided type first.
  public var description: String { "[\(provided.map(\.description).joined(separator: ", "))]" }
}
