import FluxCore
import TestSupport
import Testing

@Suite struct LifetimeTests {
  private let tracker = LifetimeTracker()

  @Test("a released store is deallocated immediately")
  func store() {
    var store: Store<Counter>? = makeStore()
    let released = WeakReference(store)
    store?.dispatch(Increment())
    #expect(released.object != nil)
    store = nil
    #expect(released.object == nil)
  }

  @Test("a released store releases its state, even if a token is kept")
  func state() {
    struct Holding: FluxState { var object: LifetimeTracker.Tracked }
    var store: Store<Holding>? = Store(
      reducer: { (_: inout Holding, _: any Action) in }, state: Holding(object: tracker.make()))
    let token = store?.subscribe { _ in }
    let slice = store?.subscribe(to: { _ in 0 }) { (_: Int) in }
    store?.dispatch(Nothing())
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    token?.cancel()
    slice?.cancel()
  }

  @Test("a replaced state is released before the next dispatch")
  func replacedState() {
    struct Holding: FluxState { var object: LifetimeTracker.Tracked }
    let store = Store(
      reducer: { [tracker] (state: inout Holding, _: any Action) in state.object = tracker.make() },
      plugins: [Plugin(onTransition: .states { _ in })], state: Holding(object: tracker.make()))
    let token = store.subscribe { _ in }
    for _ in 0..<5 {
      store.dispatch(Nothing())
      #expect(tracker.alive == 1)
    }
    token.cancel()
  }

  @Test("an action is released when dispatch returns")
  func action() {
    struct Holding: Action { var object: LifetimeTracker.Tracked }
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, _ in })])
    let token = store.subscribe { _ in }
    store.dispatch(Holding(object: tracker.make()))
    #expect(tracker.alive == 0)
    token.cancel()
  }

  @Test("a released store releases its reducer")
  func reducer() {
    let object = Shared<LifetimeTracker.Tracked?>(tracker.make())
    var store: Store<Counter>? = makeHolding(object.exchange(nil))
    store?.dispatch(Increment())
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
  }

  @Test("a released store releases its middleware, although the chain keeps its own dispatch function")
  func middleware() {
    var store: Store<Counter>? = makeStore(middleware: [selfHolding(tracker.make())])
    store?.dispatch(Increment())
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
  }

  @Test("a released store releases every part of its plug-ins")
  func plugins() {
    let (tracker, ended) = (self.tracker, Shared(0))
    func plugin() -> Plugin<Counter> {
      let (wrapping, observing, ending) = (tracker.make(), tracker.make(), tracker.make())
      return Plugin(
        middleware: selfHolding(tracker.make()),
        wrapReducer: { reducer in
          { state, action in
            wrapping.touch()
            reducer(&state, action)
          }
        },
        onTransition: .states { _ in observing.touch() },
        onStoreEnd: { _ in
          ending.touch()
          ended.increment()
        })
    }
    var store: Store<Counter>? = makeStore(plugins: [plugin(), plugin()])
    store?.dispatch(Increment())
    #expect(tracker.alive == 8)
    store = nil
    #expect(tracker.alive == 0)
    #expect(ended.value == 2)
  }

  @Test("a released store releases its observers while their tokens are kept")
  func observers() {
    var store: Store<Counter>? = makeStore()
    var tokens: [SubscriptionToken] = []
    for _ in 0..<3 {
      let (captured, comparing) = (tracker.make(), tracker.make())
      if let token = store?.subscribe({ _ in captured.touch() }) { tokens.append(token) }
      let slice = store?.subscribe(
        to: \.count,
        by: {
          comparing.touch()
          return $0 == $1
        }, { (_: Int) in captured.touch() })
      if let slice { tokens.append(slice) }
    }
    store?.dispatch(Increment())
    #expect(tracker.alive == 6)
    store = nil
    #expect(tracker.alive == 0)
    #expect(tokens.count == 6)
  }

  @Test("a token that outlives its store can be canceled and released")
  func tokenAfterTheEnd() {
    var store: Store<Counter>? = makeStore()
    let released = WeakReference(store)
    let heard = Recorder<Int>()
    var token = store?.subscribe { heard.record($0.count) }
    store = nil
    token?.cancel()
    token = nil
    #expect(released.object == nil)
    #expect(heard.values == [0])
  }

  @Test("a canceled observer is released while the store is alive")
  func cancelledObservers() {
    let store = makeStore()
    for _ in 0..<10 {
      let captured = tracker.make()
      let token = store.subscribe { _ in captured.touch() }
      store.dispatch(Increment())
      token.cancel()
    }
    #expect(tracker.alive == 0)
  }

  @Test("an observer that cancels itself is released when its call returns")
  func selfCancelled() {
    let store = makeStore()
    let token = Shared<SubscriptionToken?>(nil)
    do {
      let captured = tracker.make()
      token.value = store.subscribe(initial: false) { [tracker] _ in
        token.exchange(nil)?.cancel()
        captured.touch()
        #expect(tracker.alive == 1)
      }
    }
    store.dispatch(Increment())
    #expect(tracker.alive == 0)
  }

  @Test("an observer of a first match is released once it has been called")
  func firstMatch() {
    let store = makeStore()
    let tokens: [SubscriptionToken] = (0..<2).map { count in
      let captured = tracker.make()
      return store.subscribe(first: { $0.count == count }) { _ in captured.touch() }
    }
    #expect(tracker.alive == 1)
    store.dispatch(Increment())
    #expect(tracker.alive == 0)
    #expect(tokens.count == 2)
  }

  @Test("a replaced reducer is released outside the lock, and its captured values may access the store")
  func replacedReducer() {
    let seen = Shared(-1)
    let target = Shared<Store<Counter>?>(nil)
    let object = Shared<LifetimeTracker.Tracked?>(
      tracker.make {
        target.value?.dispatch(Increment())
        seen.value = target.value?.state.count ?? -2
      })
    let store = makeHolding(object.exchange(nil))
    target.value = store
    store.replaceReducer(countingReducer)
    #expect(tracker.alive == 0)
    #expect(seen.value == 1)
    target.value = nil
  }

  @Test("a late call of next does nothing, and the closure releases its captured values when it is released")
  func lateNext() {
    let held = Shared<[@Sendable () -> Void]>([])
    let holding: Middleware<Counter> = { _, _ in { next in { action in held.value = [{ next(action) }] } } }
    var store: Store<Counter>? = makeHolding(tracker.make(), middleware: [holding])
    let released = WeakReference(store)
    store?.dispatch(Increment())
    store = nil
    #expect(released.object == nil)
    for call in held.value { call() }
    held.value = []
    #expect(tracker.alive == 0)
  }

  @Test("an observer that only the store keeps may keep the store alive until it is canceled")
  func cycle() {
    var store: Store<Counter>? = makeStore()
    let released = WeakReference(store)
    var token: SubscriptionToken?
    if let store { token = store.subscribe { [store] _ in _ = store.state } }
    store = nil
    #expect(released.object != nil)
    token?.cancel()
    token = nil
    #expect(released.object == nil)
  }

  @Test("a store that the callback of its last observer releases ends after the pass")
  func releasedInACallback() {
    let holder = Shared<Store<Counter>?>(makeStore())
    let captured = Shared<LifetimeTracker.Tracked?>(tracker.make())
    let released = WeakReference(holder.value)
    let heard = Recorder<Int>()
    let object = captured.exchange(nil)
    let token = holder.value?.subscribe(initial: false) { [object] state in
      object?.touch()
      heard.record(state.count)
      holder.value = nil
    }
    holder.value?.proxy.dispatch(Increment())
    #expect(released.object == nil)
    #expect(heard.values == [1])
    token?.cancel()
  }

  @Test("the end of a store does not call its observers")
  func endCallsNobody() {
    let heard = Recorder<Int>()
    var store: Store<Counter>? = makeStore()
    let token = store?.subscribe { heard.record($0.count) }
    store = nil
    #expect(heard.values == [0])
    token?.cancel()
  }

  private func makeHolding(
    _ object: LifetimeTracker.Tracked?, middleware: [Middleware<Counter>]? = nil
  ) -> Store<Counter> {
    Store(
      reducer: { (state: inout Counter, action: any Action) in
        object?.touch()
        countingReducer(&state, action)
      }, middleware: middleware, state: Counter())
  }

  /// A middleware whose links keep all values that they receive.
  private func selfHolding(_ object: LifetimeTracker.Tracked) -> Middleware<Counter> {
    { dispatch, getState in
      { next in
        { action in
          object.touch()
          if getState() == nil { dispatch(action) }
          next(action)
        }
      }
    }
  }
}
