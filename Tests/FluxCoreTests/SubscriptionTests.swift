import FluxCore
import TestSupport
import Testing

@Suite struct SubscriptionTests {
  @Test("the first call is made before subscribe returns, with the present state")
  func firstCall() {
    let store = makeStore(state: Counter(count: 7))
    let heard = Recorder<Int>()
    let token = store.subscribe { heard.record($0.count) }
    #expect(heard.values == [7])
    token.cancel()
  }

  @Test("the first call can be skipped")
  func noFirstCall() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    #expect(heard.values.isEmpty)
    store.dispatch(Increment())
    #expect(heard.values == [1])
    token.cancel()
  }

  @Test(
    "with one thread and nothing nested, an observer is called once for each action before dispatch returns")
  func oncePerAction() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    for count in 1...20 {
      store.dispatch(Increment())
      #expect(heard.values == Array(1...count))
    }
    token.cancel()
  }

  @Test("observers are called in the order in which they subscribed")
  func order() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let tokens = (0..<10).map { index in store.subscribe(initial: false) { _ in heard.record(index) } }
    store.dispatch(Increment())
    #expect(heard.values == Array(0..<10))
    for token in tokens { token.cancel() }
  }

  @Test("canceling some observers keeps the order of the others, and a new observer comes last")
  func orderAfterCancelling() {
    let store = makeStore()
    let heard = Recorder<Int>()
    var tokens = (0..<50).map { index in store.subscribe(initial: false) { _ in heard.record(index) } }
    for index in 0..<50 where index % 3 != 1 { tokens[index].cancel() }
    tokens.append(store.subscribe(initial: false) { _ in heard.record(50) })
    store.dispatch(Increment())
    #expect(heard.values == (0..<50).filter { $0 % 3 == 1 } + [50])
    for token in tokens { token.cancel() }
  }

  @Test("a pass delivers one snapshot to all observers, even if the first of them dispatches")
  func oneSnapshot() {
    let store = makeStore()
    let heard = Recorder<String>()
    let first = store.subscribe(initial: false) { state in
      heard.record("a\(state.count)")
      if state.count == 1 { store.dispatch(Increment()) }
    }
    let second = store.subscribe(initial: false) { heard.record("b\($0.count)") }
    store.dispatch(Increment())
    #expect(heard.values == ["a1", "b1", "a2", "b2"])
    first.cancel()
    second.cancel()
  }

  @Test("an observer with old and new states first receives no old state, and then each step")
  func oldAndNew() {
    let store = makeStore()
    let heard = Recorder<[Int?]>()
    let token = store.subscribe { old, new in heard.record([old?.count, new.count]) }
    store.dispatch(Increment())
    store.dispatch(Nothing())
    #expect(heard.values == [[nil, 0], [0, 1], [1, 1]])
    token.cancel()
  }

  @Test("an observer with old and new states receives the state of its last call as the old one")
  func oldOfTheLastCall() {
    let store = makeStore()
    let heard = Recorder<[Int?]>()
    let token = store.subscribe { old, new in heard.record([old?.count, new.count]) }
    store.batch {
      store.dispatch(Increment())
      store.dispatch(Increment())
    }
    #expect(heard.values == [[nil, 0], [0, 2]])
    token.cancel()
  }

  @Test("the same closure may subscribe twice, and is called twice")
  func twice() {
    let store = makeStore()
    let calls = Shared(0)
    let receive: @Sendable (Counter) -> Void = { _ in _ = calls.increment() }
    let tokens = [store.subscribe(initial: false, receive), store.subscribe(initial: false, receive)]
    store.dispatch(Increment())
    #expect(calls.value == 2)
    tokens[0].cancel()
    store.dispatch(Increment())
    #expect(calls.value == 3)
    tokens[1].cancel()
  }

  @Test("an observer that waits for the first match is called once, with the first state that matches")
  func firstMatch() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(first: { $0.count >= 2 }) { heard.record($0.count) }
    for _ in 0..<4 { store.dispatch(Increment()) }
    #expect(heard.values == [2])
    token.cancel()
  }

  @Test("an observer that waits for the first match is called immediately when the present state matches")
  func firstMatchNow() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(first: { $0.count == 0 }) { heard.record($0.count) }
    #expect(heard.values == [0])
    store.dispatch(Nothing())
    #expect(heard.values == [0])
    token.cancel()
  }

  @Test("an observer that waits for the first match may dispatch in its only call, and is not called again")
  func firstMatchDispatches() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let now = store.subscribe(first: { _ in true }) { state in
      heard.record(state.count)
      store.dispatch(Increment())
    }
    let later = store.subscribe(first: { $0.count >= 2 }) { state in
      heard.record(state.count)
      store.dispatch(Increment())
    }
    store.dispatch(Increment())
    #expect(heard.values == [0, 2])
    #expect(store.state.count == 3)
    now.cancel()
    later.cancel()
  }

  @Test("a first match of a slice is called with the slice")
  func firstMatchOfSlice() {
    let store = makeStore()
    let heard = Recorder<String>()
    let token = store.subscribe(to: \.name, first: { !$0.isEmpty }) { heard.record($0) }
    store.dispatch(Rename(name: "a"))
    store.dispatch(Rename(name: "b"))
    #expect(heard.values == ["a"])
    token.cancel()
  }

  @Test("a canceled first match is never called")
  func firstMatchCancelled() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(first: { $0.count == 1 }) { heard.record($0.count) }
    token.cancel()
    store.dispatch(Increment())
    #expect(heard.values.isEmpty)
  }

  @Test("observers run outside the store's lock: they may read the store, and another thread may dispatch")
  func outsideTheLock() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { state in
      heard.record(store.state.count)
      heard.record(store.withState { $0.count })
      if state.count == 1 { onAnotherThread { store.dispatch(Increment()) } }
    }
    store.dispatch(Increment())
    #expect(heard.values == [1, 1, 2, 2])
    token.cancel()
  }
}
