import FluxCollections
import FluxCore
import TestSupport
import Testing

@Suite("How long observers of elements live", .unlessItHangs)
struct ObservingLifetimeTests {
  @Test("a token keeps the observers it is from")
  func token() {
    let heard = Recorder<String>()
    let reducer: MutatingReducer<Board> = { state, action in (action as? Change)?.change(&state) }
    let store = Store(reducer: reducer, state: Board(entries: list([1])))
    let token = ElementObservers(of: store) { $0.entries }.subscribe(to: 1, initial: false) {
      heard.record($0?.text ?? "gone")
    }
    store.dispatch(Change { $0.entries.update(1) { $0.text = "x" } })
    #expect(heard.values == ["x"])
    token.cancel()
    store.dispatch(Change { $0.entries.update(1) { $0.text = "y" } })
    #expect(heard.values == ["x"])
  }

  @Test("what an observer's closure keeps is released when it is cancelled, and when all is dropped")
  func closures() {
    let tracker = LifetimeTracker()
    let scene = BoardScene(0..<10)
    func observe(_ id: Int) -> SubscriptionToken {
      let tracked = tracker.make()
      return scene.observers.subscribe(to: id) { _ in tracked.touch() }
    }
    var tokens = (0..<10).map(observe)
    #expect(tracker.alive == 10)
    tokens[0].cancel()
    #expect(tracker.alive == 9)
    tokens.removeAll()
    #expect(tracker.alive == 0)
  }

  @Test("observers do not keep the store, and are quiet once it has gone")
  func store() {
    let tracker = LifetimeTracker()
    let heard = Recorder<String>()
    var token: SubscriptionToken?
    weak var weakStore: Store<Board>?
    do {
      let tracked = tracker.make()
      let reducer: MutatingReducer<Board> = { state, action in
        tracked.touch()
        (action as? Change)?.change(&state)
      }
      let store = Store(reducer: reducer, state: Board(entries: list([1])))
      weakStore = store
      token = ElementObservers(of: store) { $0.entries }.subscribe(to: 1) { heard.record($0?.text ?? "gone") }
    }
    #expect(weakStore == nil)
    #expect(tracker.alive == 0)
    token?.cancel()
    #expect(heard.values == ["1"])
  }

  @Test("on the main actor, canceling an observer or releasing all tokens releases the closures")
  @MainActor
  func onMain() async {
    let tracker = LifetimeTracker()
    let released = EventLog<Int>()
    let scene = BoardScene(0..<3)
    do {
      let observers = ElementObservers(of: scene.store) { $0.entries }
      func observe(_ id: Int) -> SubscriptionToken {
        let tracked = tracker.make { released.record(id) }
        return observers.subscribe(to: id, onMain: { _ in tracked.touch() })
      }
      var tokens = (0..<3).map(observe)
      #expect(tracker.alive == 3)
      tokens[0].cancel()
      await released.count(atLeast: 1)
      #expect(released.values == [0])
      tokens.removeAll()
    }
    await released.count(atLeast: 3)
    #expect(tracker.alive == 0)
  }
}
