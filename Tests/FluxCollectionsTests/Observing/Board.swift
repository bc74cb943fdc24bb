import FluxCollections
import FluxCore
import TestSupport

/// A state with a list and another property.
struct Board: FluxState {
  var entries = OrderedState<Entry>()
  var other = 0
}

/// Changes a board by a closure, so that each test can specify its change.
struct Change: Action {
  let change: @Sendable (inout Board) -> Void

  init(_ change: @escaping @Sendable (inout Board) -> Void) {
    self.change = change
  }
}

/// A store of a board with some entries, and the observers of the entries.
struct BoardScene {
  let store: Store<Board>
  let observers: ElementObservers<Entry>
  let heard = Recorder<String>()

  init(_ ids: some Sequence<Int>) {
    let reducer: MutatingReducer<Board> = { state, action in (action as? Change)?.change(&state) }
    store = Store(reducer: reducer, state: Board(entries: list(ids)))
    observers = ElementObservers(of: store) { $0.entries }
  }

  /// Records the elements that an observer of an id receives, after the id or a name.
  func observe(_ id: Int, as name: String? = nil, initial: Bool = false) -> SubscriptionToken {
    observers.subscribe(to: id, initial: initial) { [heard] entry in
      heard.record("\(name ?? "\(id)") \(entry?.text ?? "gone")")
    }
  }

  func change(_ change: @escaping @Sendable (inout Board) -> Void) {
    store.dispatch(Change(change))
  }
}
