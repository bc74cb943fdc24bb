import FluxCore
import TestSupport
import Testing

@Suite struct CancellingTests {
  @Test("after canceling there is no further call")
  func final() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe { heard.record($0.count) }
    store.dispatch(Increment())
    token.cancel()
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
  }

  @Test("canceling a token twice has no further effect")
  func twice() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let other = store.subscribe(initial: false) { heard.record($0.count) }
    let token = store.subscribe { _ in }
    token.cancel()
    token.cancel()
    store.dispatch(Increment())
    #expect(heard.values == [1])
    other.cancel()
  }

  @Test("releasing a token cancels its subscription")
  func dropped() {
    let store = makeStore()
    let heard = Recorder<Int>()
    var token: SubscriptionToken? = store.subscribe { heard.record($0.count) }
    store.dispatch(Increment())
    #expect(token != nil)
    token = nil
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
  }

  @Test("a set of tokens keeps its subscriptions, and ends them when it is emptied")
  func set() {
    let store = makeStore()
    let heard = Recorder<Int>()
    var tokens: Set<SubscriptionToken> = []
    store.subscribe(initial: false) { heard.record($0.count) }.store(in: &tokens)
    store.subscribe(initial: false) { heard.record($0.count * 10) }.store(in: &tokens)
    #expect(tokens.count == 2)
    store.dispatch(Increment())
    tokens.removeAll()
    store.dispatch(Increment())
    #expect(heard.values == [1, 10])
  }

  @Test("canceling inside the callback makes that call the last")
  func inside() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    token.value = store.subscribe(initial: false) { state in
      heard.record(state.count)
      token.value?.cancel()
      token.value?.cancel()
    }
    store.dispatch(Increment())
    store.dispatch(Increment())
    #expect(heard.values == [1])
  }

  @Test("an observer that cancels itself and then dispatches is not called for that action")
  func insideThenDispatch() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    token.value = store.subscribe(initial: false) { state in
      heard.record(state.count)
      token.value?.cancel()
      store.dispatch(Increment())
    }
    store.dispatch(Increment())
    #expect(heard.values == [1])
    #expect(store.state.count == 2)
  }

  @Test("an observer that an earlier observer cancels is not called in the same pass")
  func laterInThePass() {
    let store = makeStore()
    let heard = Recorder<String>()
    let victim = Shared<SubscriptionToken?>(nil)
    let first = store.subscribe(initial: false) { _ in
      heard.record("first")
      victim.value?.cancel()
    }
    victim.value = store.subscribe(initial: false) { _ in heard.record("victim") }
    let last = store.subscribe(initial: false) { _ in heard.record("last") }
    store.dispatch(Increment())
    #expect(heard.values == ["first", "last"])
    first.cancel()
    last.cancel()
  }

  @Test("canceling an earlier observer in a pass neither skips nor repeats other observers")
  func earlierInThePass() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let tokens = Shared<[SubscriptionToken]>([])
    tokens.value = (0..<10).map { index in
      store.subscribe(initial: false) { _ in
        heard.record(index)
        if index == 5 { for earlier in tokens.value.prefix(5) { earlier.cancel() } }
      }
    }
    store.dispatch(Increment())
    #expect(heard.takeAll() == Array(0..<10))
    store.dispatch(Increment())
    #expect(heard.values == Array(5..<10))
    tokens.value = []
  }

  @Test("an observer may cancel all other observers and itself")
  func all() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let tokens = Shared<[SubscriptionToken]>([])
    tokens.value = (0..<10).map { index in
      store.subscribe(initial: false) { _ in
        heard.record(index)
        if index == 3 { for token in tokens.exchange([]) { token.cancel() } }
      }
    }
    store.dispatch(Increment())
    store.dispatch(Increment())
    #expect(heard.values == [0, 1, 2, 3])
  }

  @Test("cancellation does not wait for a call that runs on another thread, which is the last call")
  func runningElsewhere() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let entered = Gate()
    let leave = Gate()
    let token = store.subscribe(initial: false) { state in
      heard.record(state.count)
      entered.open()
      leave.wait()
    }
    let worker = Worker { store.dispatch(Increment()) }
    entered.wait()
    token.cancel()
    store.dispatch(Increment())
    leave.open()
    worker.join()
    store.dispatch(Increment())
    #expect(heard.values == [1])
  }

  @Test("a second thread that cancels a token returns after the observer is removed")
  func onTwoThreads() async {
    let (events, door) = (EventLog<String>(), Gate())
    // Stands in for the removal, which waits for the lock of the store.
    let token = SubscriptionToken(cancelling: {
      events.record("removing")
      door.wait()
    })
    let first = Worker { token.cancel() }
    await events.count(atLeast: 1)
    let second = Worker {
      token.cancel()
      events.record("returned")
    }
    await events.count(atLeast: 2)
    #expect(events.values == ["removing", "removing"])
    door.open()
    first.join()
    second.join()
  }

  @Test("a value that a canceled observer captured is released on cancellation, outside the lock")
  func released() {
    let store = makeStore()
    let tracker = LifetimeTracker()
    let seen = Shared(-1)
    var token: SubscriptionToken?
    do {
      let captured = tracker.make { [weak store] in
        store?.dispatch(Increment())
        seen.value = store?.state.count ?? -2
      }
      token = store.subscribe { _ in captured.touch() }
    }
    #expect(tracker.alive == 1)
    token?.cancel()
    #expect(tracker.alive == 0)
    #expect(seen.value == 1)
  }

  @Test("a value that an observer captured may access the store when the observer is canceled in a pass")
  func releasedInThePass() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let tracker = LifetimeTracker()
    let victim = Shared<SubscriptionToken?>(nil)
    let first = store.subscribe(initial: false) { _ in victim.exchange(nil)?.cancel() }
    do {
      let captured = tracker.make { [weak store] in store?.dispatch(Increment()) }
      victim.value = store.subscribe(initial: false) { _ in captured.touch() }
    }
    let last = store.subscribe(initial: false) { heard.record($0.count) }
    store.dispatch(Increment())
    #expect(tracker.alive == 0)
    #expect(heard.values.last == 2)
    first.cancel()
    last.cancel()
  }

  @Test("tokens are equal if they are identical")
  func equality() {
    let store = makeStore()
    let token = store.subscribe { _ in }
    let other = store.subscribe { _ in }
    #expect(token == token)
    #expect(token != other)
  }
}
