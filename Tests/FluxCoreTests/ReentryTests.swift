import FluxCore
import TestSupport
import Testing

@Suite struct ReentryTests {
  @Test("an observer that dispatches is not called recursively, and its action is reduced immediately")
  func notRecursive() {
    let store = makeStore()
    let heard = Recorder<String>()
    let token = store.subscribe(initial: false) { state in
      heard.record("in \(state.count)")
      if state.count < 3 {
        store.dispatch(Increment())
        heard.record("now \(store.state.count)")
      }
      heard.record("out \(state.count)")
    }
    store.dispatch(Increment())
    #expect(heard.values == ["in 1", "now 2", "out 1", "in 2", "now 3", "out 2", "in 3", "out 3"])
    token.cancel()
  }

  @Test("100,000 nested dispatches from an observer do not grow the stack")
  func deep() {
    let store = makeStore()
    let calls = Shared(0)
    let token = store.subscribe(initial: false) { state in
      calls.increment()
      if state.count < 100_000 { store.dispatch(Increment()) }
    }
    Worker(stackSize: 256 * 1024) { store.dispatch(Increment()) }.join()
    #expect(store.state.count == 100_000)
    #expect(calls.value == 100_000)
    token.cancel()
  }

  @Test("100,000 nested dispatches between two observers do not grow the stack")
  func deepBetweenTwo() {
    let store = makeStore()
    let last = Recorder<Int>()
    let tokens = (0..<2).map { index in
      store.subscribe(initial: false) { state in
        if state.count < 100_000, state.count % 2 == index { store.dispatch(Increment()) }
        if state.count == 100_000 { last.record(index) }
      }
    }
    Worker(stackSize: 256 * 1024) { store.dispatch(Increment()) }.join()
    #expect(last.values == [0, 1])
    for token in tokens { token.cancel() }
  }

  @Test("100,000 nested dispatches from a first call's observer do not grow the stack")
  func deepFromTheFirstCall() {
    let store = makeStore()
    let tokens = Shared<[SubscriptionToken]>([])
    Worker(stackSize: 256 * 1024) {
      tokens.value = [
        store.subscribe { state in if state.count < 100_000 { store.dispatch(Increment()) } }
      ]
    }.join()
    #expect(store.state.count == 100_000)
    tokens.value = []
  }

  @Test("100,000 nested dispatches from a transition observer do not grow the stack")
  func deepTransitions() {
    let target = Shared<Store<Counter>?>(nil)
    let heard = Shared(0)
    let audit = Plugin<Counter>(
      onTransition: .actions { _, version in
        heard.increment()
        if version < 100_000 { target.value?.dispatch(Increment()) }
      })
    let store = makeStore(plugins: [audit])
    target.value = store
    Worker(stackSize: 256 * 1024) { store.dispatch(Increment()) }.join()
    #expect(heard.value == 100_000)
    target.value = nil
  }

  @Test("many dispatches in one call may be coalesced; the last version is delivered")
  func coalesced() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { state in
      heard.record(state.count)
      if state.count == 1 { for _ in 0..<1000 { store.dispatch(Increment()) } }
    }
    store.dispatch(Increment())
    #expect(heard.values.first == 1)
    #expect(heard.values.last == 1001)
    #expect(heard.values == heard.values.sorted())
    token.cancel()
  }

  @Test("an observer added during a pass is first called by its subscriber, and not again for that version")
  func subscribeInside() {
    let store = makeStore()
    let heard = Recorder<String>()
    let inner = Shared<SubscriptionToken?>(nil)
    let outer = store.subscribe(initial: false) { state in
      heard.record("outer \(state.count)")
      guard state.count == 1 else { return }
      inner.value = store.subscribe { heard.record("inner \($0.count)") }
      heard.record("subscribed")
    }
    store.dispatch(Increment())
    #expect(heard.values == ["outer 1", "inner 1", "subscribed"])
    store.dispatch(Increment())
    #expect(heard.values == ["outer 1", "inner 1", "subscribed", "outer 2", "inner 2"])
    outer.cancel()
    inner.value = nil
  }

  @Test("an observer added during a pass after a dispatch begins with the newer state")
  func subscribeInsideAfterDispatch() {
    let store = makeStore()
    let heard = Recorder<String>()
    let inner = Shared<SubscriptionToken?>(nil)
    let outer = store.subscribe(initial: false) { state in
      heard.record("outer \(state.count)")
      guard state.count == 1 else { return }
      store.dispatch(Increment())
      inner.value = store.subscribe { heard.record("inner \($0.count)") }
    }
    store.dispatch(Increment())
    #expect(heard.values == ["outer 1", "inner 2", "outer 2"])
    outer.cancel()
    inner.value = nil
  }

  @Test("an observer added during a pass without a first call receives nothing from that pass")
  func subscribeInsideWithoutFirstCall() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let inner = Shared<SubscriptionToken?>(nil)
    let outer = store.subscribe(initial: false) { state in
      guard state.count == 1 else { return }
      inner.value = store.subscribe(initial: false) { heard.record($0.count) }
    }
    store.dispatch(Increment())
    #expect(heard.values.isEmpty)
    store.dispatch(Increment())
    #expect(heard.values == [2])
    outer.cancel()
    inner.value = nil
  }

  @Test("a first call that dispatches is followed by a call for that action before subscribe returns")
  func firstCallDispatches() {
    let store = makeStore()
    let heard = Recorder<String>()
    let token = store.subscribe { state in
      heard.record("in \(state.count)")
      if state.count < 2 { store.dispatch(Increment()) }
      heard.record("out \(state.count)")
    }
    #expect(heard.values == ["in 0", "out 0", "in 1", "out 1", "in 2", "out 2"])
    token.cancel()
  }

  @Test("a first call that dispatches reaches the other observers before its dispatch returns")
  func firstCallDispatchesToOthers() {
    let store = makeStore()
    let heard = Recorder<String>()
    let other = store.subscribe(initial: false) { heard.record("other \($0.count)") }
    let token = store.subscribe { state in
      guard state.count == 0 else { return heard.record("new \(state.count)") }
      store.dispatch(Increment())
      heard.record("dispatched")
    }
    #expect(heard.values == ["other 1", "dispatched", "new 1"])
    token.cancel()
    other.cancel()
  }

  @Test("a first call may subscribe another observer, whose first call is made immediately")
  func firstCallSubscribes() {
    let store = makeStore()
    let heard = Recorder<String>()
    let inner = Shared<SubscriptionToken?>(nil)
    let outer = store.subscribe { state in
      if state.count == 0 { inner.value = store.subscribe { heard.record("inner \($0.count)") } }
      heard.record("outer \(state.count)")
    }
    #expect(heard.takeAll() == ["inner 0", "outer 0"])
    store.dispatch(Increment())
    #expect(heard.values == ["outer 1", "inner 1"])
    outer.cancel()
    inner.value = nil
  }

  @Test(
    "a first call in an observer that dispatches often receives the newest state before subscribe returns")
  func firstCallInsideAnObserver() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let seenOnReturn = Recorder<Int?>()
    let inner = Shared<SubscriptionToken?>(nil)
    let outer = store.subscribe(initial: false) { state in
      guard state.count == 1 else { return }
      inner.value = store.subscribe { state in
        heard.record(state.count)
        if state.count < 50 { store.dispatch(Increment()) }
      }
      seenOnReturn.record(heard.values.last)
    }
    store.dispatch(Increment())
    #expect(heard.values == Array(1...50))
    #expect(seenOnReturn.values == [50])
    outer.cancel()
    inner.value = nil
  }
}
