import FluxCore
import TestSupport
import Testing

@Suite struct SelectorTests {
  @Test("a selector computes a value for the first state, and again only when an input has changed")
  func memory() {
    let selector = StateSelector<Counter, Int>(\.count) { count in count * 2 }
    var state = Counter(count: 1)
    #expect(selector.recomputations == 0)
    #expect(selector(state) == 2)
    #expect(selector(state) == 2)
    state.name = "a"
    #expect(selector(state) == 2)
    #expect(selector.recomputations == 1)
    state.count = 5
    #expect(selector(state) == 10)
    #expect(selector.recomputations == 2)
  }

  @Test("a change of any of several inputs computes the value again")
  func severalInputs() {
    let selector = StateSelector<Counter, String>(\.count, \.name, { $0.log.count }) {
      count, name, length in
      "\(count)\(name)\(length)"
    }
    var state = Counter(count: 1, name: "a")
    #expect(selector(state) == "1a0")
    state.count = 2
    #expect(selector(state) == "2a0")
    state.name = "b"
    #expect(selector(state) == "2b0")
    state.log = [1]
    #expect(selector(state) == "2b1")
    state.log = [2]
    #expect(selector(state) == "2b1")
    #expect(selector.recomputations == 4)
  }

  @Test("a selector remembers one set of inputs, and computes again after a return to older inputs")
  func onePair() {
    let selector = StateSelector<Counter, Int>(\.count) { count in count }
    for count in [1, 2, 1] { #expect(selector(Counter(count: count)) == count) }
    #expect(selector.recomputations == 3)
  }

  @Test("a selector can be an input of another selector, and both remember their values")
  func nested() {
    let even = StateSelector<Counter, [Int]>(\.log) { log in log.filter { $0.isMultiple(of: 2) } }
    let sum = StateSelector(even.select) { even in even.reduce(0, +) }
    #expect(sum(Counter(log: [1, 2, 4])) == 6)
    #expect(sum(Counter(log: [3, 2, 4])) == 6)
    #expect(even.recomputations == 2)
    #expect(sum.recomputations == 1)
  }

  @Test("an observer of a selector is called when the selector's value has changed")
  func subscribing() {
    let store = makeStore()
    let selector = StateSelector<Counter, Int>(\.count) { count in count / 2 }
    let heard = Recorder<Int>()
    let token = store.subscribe(to: selector.select) { heard.record($0) }
    store.dispatch(Rename(name: "a"))
    for _ in 0..<4 { store.dispatch(Increment()) }
    #expect(heard.values == [0, 1, 2])
    #expect(selector.recomputations == 5)
    token.cancel()
  }

  @Test("several observers of one selector share its computation")
  func shared() {
    let store = makeStore()
    let selector = StateSelector<Counter, Int>(\.count) { count in count }
    let tokens = (0..<5).map { _ in store.subscribe(to: selector.select) { (_: Int) in } }
    store.dispatch(Increment())
    #expect(selector.recomputations == 2)
    for token in tokens { token.cancel() }
  }

  @Test("the computation runs outside the store's lock, and may use the selector itself")
  func outsideTheLock() {
    let store = makeStore(state: Counter(count: 3))
    let inner = Shared<StateSelector<Counter, Int>?>(nil)
    let selector = StateSelector<Counter, Int>(\.count) { count in
      count > 0 ? count + store.state.count + (inner.value?(Counter()) ?? 0) : 100
    }
    inner.value = selector
    #expect(selector(store.state) == 106)
    inner.value = nil
  }

  @Test("a selector replaces its remembered value, so that values do not accumulate")
  func released() {
    let tracker = LifetimeTracker()
    do {
      let selector = StateSelector<Counter, LifetimeTracker.Tracked>(\.count) { _ in tracker.make() }
      for count in 0..<10 { selector(Counter(count: count)).touch() }
      #expect(tracker.alive == 1)
    }
    #expect(tracker.alive == 0)
  }

  @Test("each use of a selector on many threads returns the value for its own state")
  func threads() {
    let selector = StateSelector<Counter, String>(\.count, \.name) { count, name in "\(count)\(name)" }
    let wrong = Shared(0)
    onThreads(4) { index in
      for round in 0..<1000 {
        let count = (index + round) % 3
        if selector(Counter(count: count, name: "\(count)")) != "\(count)\(count)" { wrong.increment() }
      }
    }
    #expect(wrong.value == 0)
    #expect(selector.recomputations >= 3)
  }
}
