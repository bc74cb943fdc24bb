import Flux

// Models of how the stores of other libraries behave where this package's store behaves differently.
// Each has just the rules that the tests of `Migrating.md` compare.

/// A model of SwiftUIFlux's store, which defers each action to the main queue.
final class DeferringStore<State> {
  typealias Link = (_ action: any Action, _ next: (any Action) -> Void) -> Void

  private(set) var state: State
  private let reducer: (DeferringStore, State, any Action) -> State
  private let middleware: Link
  private var mainQueue: [any Action] = []

  init(
    state: State, middleware: @escaping Link = { action, next in next(action) },
    reducer: @escaping (_ store: DeferringStore, State, any Action) -> State
  ) {
    self.state = state
    self.middleware = middleware
    self.reducer = reducer
  }

  func dispatch(_ action: any Action) {
    mainQueue.append(action)
  }

  /// Does what a turn of the main run loop does, until nothing is left to do.
  func runMainQueue() {
    while !mainQueue.isEmpty {
      middleware(mainQueue.removeFirst()) { action in state = reducer(self, state, action) }
    }
  }
}

/// A model of ReSwift's store, whose subscriptions compare the previous state with the next one.
final class PreviousStateStore<State> {
  private(set) var state: State {
    didSet { for observer in observers.values { observer(oldValue, state) } }
  }

  private let reducer: (State, any Action) -> State
  private var observers: [ObjectIdentifier: (_ previous: State?, _ next: State) -> Void] = [:]

  init(state: State, reducer: @escaping (State, any Action) -> State) {
    self.state = state
    self.reducer = reducer
  }

  func dispatch(_ action: any Action) {
    state = reducer(state, action)
  }

  /// Subscribes an object, in place of the subscription that it has.
  func subscribe(
    _ subscriber: AnyObject, skippingRepeats isRepeat: @escaping (State, State) -> Bool = { _, _ in false },
    newState: @escaping (State) -> Void
  ) {
    let observer: (State?, State) -> Void = { previous, next in
      if let previous, isRepeat(previous, next) { return }
      newState(next)
    }
    observers[ObjectIdentifier(subscriber)] = observer
    observer(nil, state)
  }
}

/// A model of Redux's store, which calls every observer that was there when an action arrived.
final class JavaScriptStore {
  private(set) var count = 0
  private var observers: [Int: () -> Void] = [:]
  private var lastID = 0

  func dispatch() {
    count += 1
    for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer() }
  }

  /// Subscribes a closure without calling it, and returns the function that unsubscribes it.
  func subscribe(_ observer: @escaping () -> Void) -> () -> Void {
    lastID += 1
    let id = lastID
    observers[id] = observer
    return { self.observers[id] = nil }
  }
}

// MARK: - The app that the tests use

/// A state that says which actions were reduced, in order.
struct Reduced: FluxState, Equatable {
  var actions: [String] = []
}

/// An action with a name.
struct Named: Action, Equatable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

let reduced: ActionHandlers<Reduced> = on(Named.self) { state, action in state.actions.append(action.name) }

extension DeferringStore<[String]> {
  /// A store whose state is the names of the actions that were reduced.
  static func ofNames(middleware: @escaping Link = { action, next in next(action) }) -> DeferringStore {
    DeferringStore(state: [], middleware: middleware) { _, names, action in
      names + [(action as? Named)?.name].compactMap(\.self)
    }
  }
}
