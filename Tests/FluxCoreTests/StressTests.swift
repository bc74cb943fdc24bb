import FluxCore
import TestSupport
import Testing

@Suite struct StressTests {
  @Test(
    "threads dispatch, subscribe, cancel, batch, read, and replace the reducer at the same time",
    arguments: 1...4)
  func everything(seed: UInt64) {
    let versions = Recorder<UInt64>()
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, version in versions.record(version) })]
    )
    let constant = Recorder<Int>()
    let kept = store.subscribe { constant.record($0.count) }
    let unordered = Shared(0)
    let dispatched = Shared(0)

    onThreads(4) { index in
      var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
      var tokens: [SubscriptionToken] = []
      for _ in 0..<400 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2:
          dispatched.increment()
          store.dispatch(Increment())
        case 3:
          let last = Shared(-1)
          tokens.append(
            store.subscribe { state in if last.exchange(state.count) >= state.count { unordered.increment() }
            })
        case 4:
          if let token = tokens.randomElement(using: &random) { token.cancel() }
        case 5:
          store.batch {
            for _ in 0..<3 {
              dispatched.increment()
              store.dispatch(Increment())
            }
          }
        case 6:
          let before = store.state.count
          if store.withState({ $0.count }) < before { unordered.increment() }
        default:
          store.replaceReducer(countingReducer)
        }
      }
    }

    let total = dispatched.value
    #expect(store.state.count == total, "seed \(seed)")
    #expect(versions.values == (0..<UInt64(total)).map { $0 + 1 }, "seed \(seed)")
    #expect(unordered.value == 0, "seed \(seed)")
    #expect(constant.values.last == total, "seed \(seed)")
    #expect(zip(constant.values, constant.values.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    kept.cancel()
  }

  @Test("observers that dispatch on many threads: the store becomes quiet with all of them up to date")
  func dispatchingObservers() {
    let store = makeStore()
    let last = (0..<3).map { _ in Shared(-1) }
    let extra = Shared(0)
    let tokens = last.map { last in
      store.subscribe(initial: false) { state in
        last.value = state.count
        if state.count.isMultiple(of: 10), extra.increment() <= 300 { store.dispatch(Increment()) }
      }
    }
    onThreads(4) { _ in for _ in 0..<500 { store.dispatch(Increment()) } }
    let total = 2000 + min(extra.value, 300)
    #expect(store.state.count == total)
    #expect(last.map(\.value) == [total, total, total])
    for token in tokens { token.cancel() }
  }

  @Test("each new observer receives the state of its subscribing or a newer one, and the last state")
  func newObservers() {
    let store = makeStore()
    let failures = Recorder<String>()
    let seen = Recorder<Shared<Int>>()
    let tokens = Shared<[SubscriptionToken]>([])
    let lists = (0..<2).map { _ in Shared<[SubscriptionToken]>([]) }
    onThreads(4) { index in
      for round in 0..<300 {
        guard index < 2 else {
          store.dispatch(Increment())
          continue
        }
        let last = Shared(-1)
        let before = store.state.count
        let token = store.subscribe { state in
          if last.value == -1, state.count < before { failures.record("old first call in \(round)") }
          if last.exchange(state.count) >= state.count { failures.record("not newer in \(round)") }
        }
        if last.value == -1 { failures.record("no first call in \(round)") }
        seen.record(last)
        lists[index].value += [token]
      }
    }
    #expect(failures.values.isEmpty)
    #expect(seen.values.allSatisfy { $0.value == 600 })
    tokens.value = []
  }

  @Test("batches on many threads: when all have left, every observer has seen the last version")
  func batches() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    onThreads(4) { _ in
      for _ in 0..<200 {
        store.batch {
          store.dispatch(Increment())
          store.batch { store.dispatch(Increment()) }
        }
      }
    }
    #expect(heard.values.last == 1600)
    #expect(zip(heard.values, heard.values.dropFirst()).allSatisfy { $0 < $1 })
    token.cancel()
  }

  @Test("an action is reduced by the old or by the new reducer, never by both or none")
  func replacing() {
    let adding: @Sendable (Int) -> MutatingReducer<Counter> = { element in
      { state, _ in state.log.append(element) }
    }
    let store = Store(reducer: adding(0), state: Counter())
    onThreads(4) { index in
      for round in 0..<300 {
        if index == 0 { store.replaceReducer(adding(round)) } else { store.dispatch(Nothing()) }
      }
    }
    #expect(store.state.log.count == 900)
    #expect(store.state.log == store.state.log.sorted())
  }

  @Test("a store may be released while other threads still use its tokens and proxies")
  func releasing() {
    for _ in 0..<50 {
      let ended = Shared(0)
      let holder = Shared<Store<Counter>?>(
        makeStore(plugins: [Plugin(onStoreEnd: { _ in _ = ended.increment() })]))
      let released = WeakReference(holder.value)
      let proxy = holder.value?.proxy
      onThreads(3) { index in
        if index == 0 {
          holder.value = nil
        } else {
          for _ in 0..<20 {
            let token = proxy?.subscribe { _ in }
            proxy?.dispatch(Increment())
            token?.cancel()
          }
        }
      }
      #expect(released.object == nil)
      #expect(ended.value == 1)
    }
  }
}
