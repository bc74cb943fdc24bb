import FluxCore
import TestSupport
import Testing

@Suite struct ThreadTests {
  private static let threads = 4
  private static let rounds = 2000

  @Test("no action is lost when many threads dispatch")
  func nothingLost() {
    let store = makeStore()
    onThreads(Self.threads) { _ in for _ in 0..<Self.rounds { store.dispatch(Increment()) } }
    #expect(store.state.count == Self.threads * Self.rounds)
  }

  @Test("reducers run one at a time")
  func oneAtATime() {
    let inside = Shared(0)
    let overlaps = Shared(0)
    let store = Store(
      reducer: { (state: inout Counter, _: any Action) in
        if inside.increment() != 1 { overlaps.increment() }
        state.count += 1
        inside.value = 0
      }, state: Counter())
    onThreads(Self.threads) { _ in for _ in 0..<Self.rounds { store.dispatch(Nothing()) } }
    #expect(overlaps.value == 0)
    #expect(store.state.count == Self.threads * Self.rounds)
  }

  @Test("the actions of one thread keep their order among those of other threads")
  func orderOfEachThread() {
    let store = makeStore()
    onThreads(Self.threads) { index in
      for round in 0..<500 { store.dispatch(Append(element: index * 1000 + round)) }
    }
    let log = store.state.log
    for index in 0..<Self.threads {
      #expect(log.filter { $0 / 1000 == index } == (0..<500).map { index * 1000 + $0 })
    }
  }

  @Test("a read after dispatch includes the thread's own action, whatever other threads dispatch")
  func readYourOwn() {
    let store = makeStore()
    let missed = Shared(0)
    onThreads(Self.threads) { index in
      for round in 0..<200 {
        store.dispatch(Append(element: index * 1000 + round))
        if !store.state.log.contains(index * 1000 + round) { missed.increment() }
      }
    }
    #expect(missed.value == 0)
  }

  @Test(
    "transitions are delivered once, one at a time, in commit order, each from the previous state"
  )
  func totalOrder() {
    let inside = Shared(0)
    let overlaps = Shared(0)
    let heard = Recorder<StateTransition<Counter>>()
    let audit = Plugin<Counter>(
      onTransition: .states { transition in
        if inside.increment() != 1 { overlaps.increment() }
        heard.record(transition)
        inside.value = 0
      })
    let store = makeStore(plugins: [audit])
    onThreads(Self.threads) { _ in for _ in 0..<Self.rounds { store.dispatch(Increment()) } }
    let total = Self.threads * Self.rounds
    #expect(overlaps.value == 0)
    #expect(heard.values.map(\.version) == (1...UInt64(total)).map { $0 })
    #expect(heard.values.map(\.before.count) == Array(0..<total))
    #expect(heard.values.map(\.after.count) == Array(1...total))
  }

  @Test("no state observer receives a version before the transition observers do")
  func transitionsFirst() {
    let lastTransition = Shared(0)
    let early = Shared(0)
    let audit = Plugin<Counter>(onTransition: .actions { _, version in lastTransition.value = Int(version) })
    let store = makeStore(plugins: [audit])
    let token = store.subscribe(initial: false) { state in
      if lastTransition.value < state.count { early.increment() }
    }
    onThreads(Self.threads) { _ in for _ in 0..<Self.rounds { store.dispatch(Increment()) } }
    #expect(early.value == 0)
    #expect(lastTransition.value == Self.threads * Self.rounds)
    token.cancel()
  }

  @Test("each observer receives strictly newer versions, one call at a time, and the last one")
  func monotonic() {
    let store = makeStore()
    let heard = (0..<3).map { _ in Recorder<Int>() }
    let overlaps = Shared(0)
    let tokens = heard.map { heard in
      let inside = Shared(0)
      return store.subscribe { state in
        if inside.increment() != 1 { overlaps.increment() }
        heard.record(state.count)
        inside.value = 0
      }
    }
    onThreads(Self.threads) { _ in for _ in 0..<Self.rounds { store.dispatch(Increment()) } }
    #expect(overlaps.value == 0)
    for heard in heard {
      #expect(zip(heard.values, heard.values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(heard.values.last == Self.threads * Self.rounds)
    }
    for token in tokens { token.cancel() }
  }

  @Test("a dispatch does not wait for an observer that another thread is calling, which then delivers for it")
  func deliveredByAnother() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let entered = Gate()
    let leave = Gate()
    let token = store.subscribe(initial: false) { state in
      heard.record(state.count)
      if state.count == 1 {
        entered.open()
        leave.wait()
      }
    }
    let worker = Worker { store.dispatch(Increment()) }
    entered.wait()
    store.dispatch(Increment())
    store.dispatch(Increment())
    #expect(store.state.count == 3)
    #expect(heard.values == [1])
    leave.open()
    worker.join()
    #expect(heard.values == [1, 3])
    token.cancel()
  }

  @Test("passes skip an observer whose first call is running, and its subscriber delivers the newest state")
  func firstCallRunning() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let other = Recorder<Int>()
    let entered = Gate()
    let leave = Gate()
    let tokens = Shared<[SubscriptionToken]>([])
    tokens.value = [store.subscribe(initial: false) { other.record($0.count) }]
    let worker = Worker {
      let token = store.subscribe { state in
        if state.count == 0 {
          entered.open()
          leave.wait()
        }
        heard.record(state.count)
      }
      heard.record(-1)
      tokens.value += [token]
    }
    entered.wait()
    store.dispatch(Increment())
    store.dispatch(Increment())
    #expect(other.values == [1, 2], "the others are not held up")
    #expect(heard.values.isEmpty)
    leave.open()
    worker.join()
    #expect(heard.values == [0, 2, -1])
    store.dispatch(Increment())
    #expect(heard.values == [0, 2, -1, 3])
    tokens.value = []
  }

  @Test("an observer that is canceled on the delivering thread is not called by the following passes")
  func cancelledOnTheDeliveringThread() {
    let store = makeStore()
    let late = Shared(0)
    onThreads(Self.threads) { _ in
      for _ in 0..<200 {
        let cancelled = Shared(false)
        let token = Shared<SubscriptionToken?>(nil)
        token.value = store.subscribe(initial: false) { _ in
          if cancelled.value { late.increment() }
          if let token = token.exchange(nil) {
            token.cancel()
            cancelled.value = true
          }
        }
        store.dispatch(Increment())
        token.value = nil
      }
    }
    #expect(late.value == 0)
    #expect(store.state.count == Self.threads * 200)
  }
}
