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
    func proxy<State: Sendable>(of type: State.Type, exactly: Bool) -> StoreProxy<State>?
    func dispatching(through change: ActionChangePlace) -> any Provided
  }

  private struct Store<State: Sendable>: Provided {
    let proxy: StoreProxy<State>
    let changes: [ActionChangePlace]

    var dispatcher: ActionDispatcher { ActionDispatcher(proxy) }
    var description: String { "\(State.self)" }
    var identity: any AnyObject & Sendable { proxy.identity }

    func proxy<Other: Sendable>(of type: Other.Type, exactly: Bool) -> StoreProxy<Other>? {
      proxy as? StoreProxy<Other> ?? (exactly ? nil : proxy.proxy(as: type))
    }

    func dispatching(through change: ActionChangePlace) -> any Provided {
      Store(
        proxy: proxy.dispatching { [dispatch = proxy.dispatch(_:)] action in change(action).map(dispatch) },
        changes: [change] + changes)
    }
  }

  /// A closure that gives the action to be dispatched in place of another; `nil` if none is to be.
  public typealias ActionChange = @Sendable (_ action: any Action) -> (any Action)?

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

  /// The same stores; a closure sees each action that views send to them, and may send another in its place or none.
  ///
  /// It runs on the thread that dispatches, before the middleware of the store. Of closures within each other, the
  /// innermost is the first. What the work of an action dispatches is not a view's, and does not come here. The idea is
  /// SwiftDux's.
  ///
  /// - Parameter perform: Gives the action to be dispatched; `nil` if none is to be.
  public func onAction(perform: @escaping ActionChange) -> ProvidedStores {
    onAction(ActionChangePlace(perform))
  }

  /// The same stores; the closure that is in a place when views send an action to them sees it.
  func onAction(_ place: ActionChangePlace) -> ProvidedStores {
    var copy = self
    copy.provided = provided.map { $0.dispatching(through: place) }
    return copy
  }

  /// The store for a type of state.
  ///
  /// Stops the program if there is none. O(n) for n stores provided.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State> {
    find(type).proxy
  }

  /// The store for a type of state, and what tells it from others that may be provided in its place.
  func find<State: Sendable>(
    _ type: State.Type
  ) -> (proxy: StoreProxy<State>, identity: any AnyObject & Sendable) {
    for exactly in [true, false] {
      for store in provided {
        if let proxy = store.proxy(of: type, exactly: exactly) { return (proxy, store.identity) }
      }
    }
    Misuse.notProvided(type, in: self)
  }

  /// Sends actions to the store that was provided last; stops the program when it is used and there is none.
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
