public import FluxCore

/// The stores that the enclosing views provide to a view.
///
/// ```swift
/// let stores = ProvidedStores().providing(store).providing(settings.proxy(for: \.theme))
/// let todos = stores.store(of: AppState.self)
/// ```
///
/// A view that requests a state receives the store that was provided last among those whose
/// state has exactly the requested type. If there is none, the view receives the store that was
/// provided last among those whose state has the requested type at run time, such as a protocol
/// that the state conforms to. A value of this type does not keep the stores alive, and any
/// thread can use it.
public struct ProvidedStores: Sendable {
  /// A provided store, with the type of its state erased.
  private protocol Provided: Sendable {
    var dispatcher: ActionDispatcher { get }
    var description: String { get }
    var identity: any AnyObject & Sendable { get }
    /// The closures that dispatched actions pass through, the innermost first.
    var changes: [ActionChangePlace] { get }
    /// The store without the closures.
    func proxy<State: Sendable>(of type: State.Type, exactly: Bool) -> StoreProxy<State>?
    func dispatching(through change: ActionChangePlace) -> any Provided
  }

  private struct ProvidedStore<State: Sendable>: Provided {
    let proxy: StoreProxy<State>
    let changes: [ActionChangePlace]

    var dispatcher: ActionDispatcher { ActionDispatcher(proxy, through: changes) }
    var description: String { "\(State.self)" }
    var identity: any AnyObject & Sendable { proxy.identity }

    func proxy<Other: Sendable>(of type: Other.Type, exactly: Bool) -> StoreProxy<Other>? {
      proxy as? StoreProxy<Other> ?? (exactly ? nil : proxy.proxy(as: type))
    }

    func dispatching(through change: ActionChangePlace) -> any Provided {
      ProvidedStore(proxy: proxy, changes: [change] + changes)
    }
  }

  /// A store that was found for a view, with the closures of the enclosing views.
  struct Found<State: Sendable> {
    /// The store without the closures.
    let proxy: StoreProxy<State>
    /// The dispatcher that sends the actions of the main actor through the closures.
    let dispatcher: ActionDispatcher
    /// The object that distinguishes the store from other stores.
    let identity: any AnyObject & Sendable
    let changes: [ActionChangePlace]
  }

  /// A closure that returns the action to dispatch in place of another one, or `nil` for none.
  ///
  /// The closure runs on the main actor.
  public typealias ActionChange = @MainActor @Sendable (_ action: any Action) -> (any Action)?

  /// The provided stores, the last one first.
  private var provided: [any Provided] = []

  /// Creates a value without a store.
  public init() {}

  /// Returns these stores and one more.
  ///
  /// - Parameter source: A store, or a proxy for a part of its state.
  public func providing<State>(_ source: some StateSource<State>) -> ProvidedStores {
    var copy = self
    copy.provided.insert(ProvidedStore(proxy: source._proxy, changes: []), at: 0)
    return copy
  }

  /// Returns the same stores, with a closure that handles each action that views send to them.
  ///
  /// The closure returns the action to dispatch: the same one, another one, or `nil` for none.
  /// It runs on the main actor, before the middleware of the store, and before the dispatch
  /// returns. If another thread dispatches, by ``ActionDispatcher/function`` or by a proxy from
  /// ``store(of:)``, the closure runs a little later. If several closures enclose a view, the
  /// innermost one runs first. The closure does not receive the actions that the work of an
  /// action dispatches. The idea comes from SwiftDux.
  ///
  /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
  public func onAction(perform: @escaping ActionChange) -> ProvidedStores {
    onAction(ActionChangePlace(perform))
  }

  /// Returns the same stores, whose actions pass through the current closure of a place.
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
  /// Stops the program if no provided store has a state of the type. O(n) for n provided
  /// stores.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State> {
    let found = find(type)
    return found.proxy.dispatching(through: found.changes)
  }

  /// Returns the store for a type of state, or `nil` if no provided store has a state of the
  /// type.
  ///
  /// O(n) for n provided stores. The name comes from SwiftDux.
  public func unwrap<State: Sendable>(as type: State.Type) -> StoreProxy<State>? {
    search(type).map { found in found.proxy.dispatching(through: found.changes) }
  }

  /// Returns the store for a type of state, and stops the program if there is none.
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

  /// The dispatcher that sends actions to the store that was provided last.
  ///
  /// Dispatching stops the program if no store is provided.
  public var dispatcher: ActionDispatcher { provided.first?.dispatcher ?? ActionDispatcher() }
}

extension ProvidedStores: Equatable {
  /// Returns a Boolean value that indicates whether two values contain the same stores and
  /// closures.
  ///
  /// The stores must be in the same order, and the closures must come from the same calls of
  /// ``onAction(perform:)``. If two values are equal, views show the same state and dispatch to
  /// the same stores with either of them.
  public static func == (left: ProvidedStores, right: ProvidedStores) -> Bool {
    left.provided.elementsEqual(right.provided) { left, right in
      left.identity === right.identity && left.changes.elementsEqual(right.changes, by: ===)
    }
  }
}

extension ProvidedStores: CustomStringConvertible {
  /// The types of the states, the last one provided first.
  public var description: String { "[\(provided.map(\.description).joined(separator: ", "))]" }
}
