import FluxCore
import TestSupport
import Testing

private final class Screen: Sendable {
  let heard = Recorder<String>()
}

@Suite struct OwnerTests {
  @Test("an owner's closure receives the owner and the state, first immediately and then after each action")
  func wholeState() {
    let store = makeStore()
    let screen = Screen()
    store.subscribe(owner: screen) { screen, state in screen.heard.record("\(state.count)") }
    store.dispatch(Increment())
    #expect(screen.heard.values == ["0", "1"])
  }

  @Test("an owner's first call can be skipped")
  func withoutFirstCall() {
    let store = makeStore()
    let screen = Screen()
    store.subscribe(owner: screen, initial: false) { screen, state in screen.heard.record("\(state.count)") }
    store.dispatch(Increment())
    #expect(screen.heard.values == ["1"])
  }

  @Test("an owner is called only when its slice has changed")
  func slice() {
    let store = makeStore()
    let screen = Screen()
    store.subscribe(owner: screen, to: \.name) { screen, name in screen.heard.record(name) }
    store.dispatch(Increment())
    store.dispatch(Rename(name: "a"))
    store.dispatch(Rename(name: "a"))
    #expect(screen.heard.values == ["", "a"])
  }

  @Test("an owner's comparison decides what counts as a change")
  func comparison() {
    let store = makeStore()
    let screen = Screen()
    store.subscribe(owner: screen, to: \.count, by: { $0 / 2 == $1 / 2 }) { screen, count in
      screen.heard.record("\(count)")
    }
    for _ in 0..<4 { store.dispatch(Increment()) }
    #expect(screen.heard.values == ["0", "2", "4"])
  }

  @Test("neither the store nor the subscription keeps an owner alive")
  func notKept() {
    let store = makeStore()
    var screen: Screen? = Screen()
    let released = WeakReference(screen)
    if let screen { store.subscribe(owner: screen) { _, _ in } }
    screen = nil
    #expect(released.object == nil)
    store.dispatch(Increment())
    #expect(store.state.count == 1)
  }

  @Test("after the release of an owner there is no further call, and the next delivery releases the closure")
  func ends() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    let calls = Shared(0)
    var screen: Screen? = Screen()
    do {
      let captured = tracker.make()
      if let screen {
        store.subscribe(owner: screen, initial: false) { _, _ in
          captured.touch()
          calls.increment()
        }
      }
    }
    store.dispatch(Increment())
    #expect(screen != nil)
    screen = nil
    store.dispatch(Increment())
    #expect(calls.value == 1)
    #expect(tracker.alive == 0)
    store.dispatch(Increment())
    #expect(calls.value == 1)
  }

  @Test(
    "after the release of a slice's owner, a delivery ends the subscription even without a change")
  func endsWithoutAChange() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    var screen: Screen? = Screen()
    do {
      let captured = tracker.make()
      if let screen { store.subscribe(owner: screen, to: \.name) { _, _ in captured.touch() } }
    }
    #expect(screen != nil && tracker.alive == 1)
    screen = nil
    store.dispatch(Increment())
    #expect(tracker.alive == 0)
  }

  @Test("an owner may own the store")
  func ownerHoldsTheStore() {
    final class Model: Sendable {
      let store = makeStore()
      let heard = Recorder<Int>()
      init() { store.subscribe(owner: self) { model, state in model.heard.record(state.count) } }
    }
    var model: Model? = Model()
    let released = WeakReference(model)
    model?.store.dispatch(Increment())
    #expect(model?.heard.values == [0, 1])
    model = nil
    #expect(released.object == nil)
  }

  @Test("an owner with two subscriptions receives both in the order of subscribing")
  func two() {
    let store = makeStore()
    let screen = Screen()
    store.subscribe(owner: screen, initial: false) { screen, _ in screen.heard.record("first") }
    store.subscribe(owner: screen, initial: false) { screen, _ in screen.heard.record("second") }
    store.dispatch(Increment())
    #expect(screen.heard.values == ["first", "second"])
  }
}
