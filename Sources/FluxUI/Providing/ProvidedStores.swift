public import FluxCore

/// The stores that are provided to a view by the views around it.
///
/// ```swift
/// let stores = ProvidedStores().providing(store).providing(settings.proxy(for: \.theme))
/// let todos = stores.store(of: AppState.self)
/// ```
///
/// A view that asks for a state gets it from the store of just that type that was provided last, or else from the last
/// one whose state turns out to be of it, which it is by conforming to a protocol. It keeps no store alive. A value; for
/// any thread.
public struct ProvidedStores: Sendable {
  /// A proxy of a state that is not known here.
  private protocol Provided: Sendable {
    var dispatcher: ActionDispatcher { get }
    var description: String { get }
    var identity: any AnyObject & Sendable { get }
    /// The closures that what is dispatched goes through, the innermost first.
    var changes: [ActionChangePlace] { get }
    /// The store without the closures.
    func proxy<State: Sendable>(of type: State.Type, exactly: Bool) -> StoreProxy<State>?
    func dispatching(through change: ActionChangePlace) -> any Provided
  }

  private struct Store<State: Sendable>: Provided {
    let proxy: StoreProxy<State>
    let changes: [ActionChangePlace]

    var dispatcher: ActionDispatcher { ActionDispatcher(proxy, through: changes) }
    var description: String { "\(State.self)" }
    var identity: any AnyObject & Sendable { proxy.identity }

    func proxy<Other: Sendable>(of type: Other.Type, exactly: Bool) -> StoreProxy<Other>? {
      proxy as? StoreProxy<Other> ?? (exactly ? nil : proxy.proxy(as: type))
    }

    func dispatching(through change: ActionChangePlace) -> any Provided {
      Store(proxy: proxy, changes: [change] + changes)
    }
  }

  /// A store that a view has found, with what the views around have made of it.
  struct Found<State: Sendable> {
    /// The store without the closures.
    let proxy: StoreProxy<State>
    /// Sends the actions of the main actor through the closures.
    let dispatcher: ActionDispatcher
    /// Tells the store from others that may be provided in its place.
    let identity: any AnyObject & Sendable
    let changes: [ActionChangePlace]
  }

  /// A closure that returns the action to dispatch in place of another one, or `nil` to dispatch
  /// none.
  ///
  /// It runs on the main actor.
  public typealias ActionChange = @MainActor @Sendable (_ action: any Action) -> (any Action)?

  /// The last one provided is the first.
  private var provided: [any Provided] = []

  /// Creates an environment without a store.
  public init() {}

  /// The same stores and one more.
  ///
  /// - Parameter source: A store, or a proxy of a part of one.
  public func providing<State>(_ source: some StateSource<State>) -> ProvidedStores {
    var copy = self
    copy.provided.insert(Store(proxy: source._proxy, changes: []), at: 0)
    return copy
  }

  /// Returns the same stores, with a closure that handles each action that views send to them.
  ///
  /// The closure returns the action to dispatch: the same one, another one, or `nil` for none. It
  /// runs on the main actor, before the middleware of the store, and before the dispatch returns.
  /// If another thread dispatches, by ``ActionDispatcher/function`` or by a proxy from
  /// ``store(of:)``, the closure runs a little later. If several closures enclose a view, the
  /// innermost one runs first. The closure does not receive the actions that the work of an action
  /// dispatches. The idea is SwiftDux's.
  ///
  /// - Parameter perform: Returns the action to dispatch, or `nil` for none.
  public func onAction(perform: @escaping ActionChange) -> ProvidedStores {
    onAction(ActionChangePlace(perform))
  }

  /// Returns the same stores, whose actions pass through the closure that is in a place at that
  /// time.
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
  /// Stops the program if no provided store has a state of the type. O(n) for n stores provided.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State> {
    let found = find(type)
    return found.proxy.dispatching(through: found.changes)
  }

  /// Returns the store for a type of state, or `nil` if no provided store has a state of the type.
  ///
  /// O(n) for n stores provided. The name is SwiftDux's.
  public func unwrap<State: Sendable>(as type: State.Type) -> StoreProxy<State>? {
    search(type).map { found in found.proxy.dispatching(through: found.changes) }
  }

  /// Returns the store for a type of state; stops the program if there is none.
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

  /// Sends actions to the store that was provided last; stops the program when it is used and no
  /// store is provided.
  public var dispatcher: ActionDispatcher { provided.first?.dispatcher ?? ActionDispatcher() }
}

extension ProvidedStores: Equatable {
  /// Whether both have the same stores in the same order, and the same closures from the same calls of
  /// ``onAction(perform:)``: then views with the one and the other show and do the same.
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
