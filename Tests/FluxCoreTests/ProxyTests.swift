import FluxCore
import TestSupport
import Testing

private protocol HasName: Sendable {
  var name: String { get }
}

extension Counter: HasName {}

@Suite struct ProxyTests {
  @Test("a proxy of the whole state reads and dispatches")
  func whole() {
    let store = makeStore()
    let proxy = store.proxy
    proxy.dispatch(Increment())
    #expect(proxy.state?.count == 1)
    #expect(store.state.count == 1)
  }

  @Test("a proxy of a part reads the part, and dispatches through the whole chain")
  func part() {
    let passed = Shared(0)
    let counting: Middleware<Counter> = { _, _ in
      { next in
        { action in
          passed.increment()
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [counting])
    let name = store.proxy(for: \.name)
    name.dispatch(Rename(name: "a"))
    let dispatch: DispatchFunction = name.dispatch
    dispatch(Increment())
    #expect(name.state == "a")
    #expect(store.state.count == 1)
    #expect(passed.value == 2)
  }

  @Test("a proxy of a part of a part reads it")
  func partOfAPart() {
    let store = makeStore(state: Counter(name: "abc"))
    let length = store.proxy(for: \.name).proxy(for: \.count)
    #expect(length.state == 3)
    length.dispatch(Rename(name: ""))
    #expect(length.state == 0)
  }

  @Test("a part may be a protocol that the state conforms to")
  func existential() {
    let store = makeStore(state: Counter(name: "a"))
    let proxy = store.proxy(for: { $0 as any HasName })
    #expect(proxy.state?.name == "a")
  }

  @Test("a proxy for a type exists if the state has that type")
  func type() {
    let store = makeStore(state: Counter(name: "a"))
    #expect(store.proxy(as: (any HasName).self)?.state?.name == "a")
    #expect(store.proxy(as: Int.self) == nil)
    #expect(store.proxy.proxy(as: (any HasName).self)?.state?.name == "a")
    #expect(store.proxy.proxy(as: Int.self) == nil)
  }

  @Test("a proxy receives nothing while its state has another type than the proxy's")
  func typeThatChanges() {
    struct App: FluxState { var screen: any Sendable }
    struct Show: Action { var screen: any Sendable }
    let handlers: ActionHandlers<App> = on(Show.self) { state, action in state.screen = action.screen }
    let store = Store(reducer: handlers, state: App(screen: 1))
    let proxy = store.proxy(for: { $0.screen }).proxy(as: Int.self)
    let heard = Recorder<Int>()
    let token = proxy?.subscribe { heard.record($0) }
    store.dispatch(Show(screen: "a"))
    #expect(proxy?.state == nil)
    store.dispatch(Show(screen: 2))
    #expect(proxy?.state == 2)
    #expect(heard.values == [1, 2])
    token?.cancel()
  }

  @Test("subscribing through a proxy follows the rules of the store")
  func subscribing() {
    let store = makeStore()
    let count = store.proxy(for: \.count)
    let heard = Recorder<Int>()
    let slices = Recorder<Bool>()
    let token = count.subscribe { heard.record($0) }
    let slice = count.subscribe(to: { $0 > 1 }) { slices.record($0) }
    store.dispatch(Increment())
    count.dispatch(Increment())
    store.dispatch(Nothing())
    #expect(heard.values == [0, 1, 2, 2], "an observer of the whole state hears of each action")
    #expect(slices.values == [false, true])
    token.cancel()
    slice.cancel()
    store.dispatch(Increment())
    #expect(heard.count == 4)
  }

  @Test("owners and first matches can be subscribed through a proxy")
  func ownerAndFirst() {
    final class Owner: Sendable { let heard = Recorder<Int>() }
    let store = makeStore()
    let owner = Owner()
    let first = Recorder<Int>()
    store.proxy(for: \.count).subscribe(owner: owner) { owner, count in owner.heard.record(count) }
    let token = store.proxy(for: \.count).subscribe(first: { $0 == 1 }) { first.record($0) }
    for _ in 0..<2 { store.dispatch(Increment()) }
    #expect(owner.heard.values == [0, 1, 2])
    #expect(first.values == [1])
    token.cancel()
  }

  @Test("a proxy on the main actor makes its first call immediately and delivers later states")
  @MainActor func onMain() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.proxy(for: \.count).subscribe(onMain: { inbox.receive($0) })
    #expect(inbox.values == [0])
    store.dispatch(Increment())
    await inbox.wait { $0 == 1 }
    #expect(inbox.values == [0, 1])
    token.cancel()
  }

  @Test("a proxy does not keep the store alive; without it, there is no state and dispatching does nothing")
  func afterTheEnd() {
    let reduced = Shared(0)
    var store: Store<Counter>? = Store(
      reducer: { (_: inout Counter, _: any Action) in _ = reduced.increment() }, state: Counter())
    let released = WeakReference(store)
    let proxy = store?.proxy
    let part = store?.proxy(for: \.count)
    store = nil
    #expect(released.object == nil)
    #expect(proxy?.state == nil)
    #expect(part?.state == nil)
    proxy?.dispatch(Increment())
    part?.dispatch(action: Increment())
    #expect(reduced.value == 0)
    #expect(proxy?.proxy(as: (any HasName).self) == nil)
  }

  @Test("a subscription through a proxy after the store is released ends immediately, without a call")
  func subscribingAfterTheEnd() {
    let tracker = LifetimeTracker()
    let heard = Recorder<Int>()
    var store: Store<Counter>? = makeStore()
    let proxy = store?.proxy
    #expect(store != nil)
    store = nil
    var token: SubscriptionToken?
    do {
      let captured = tracker.make()
      token = proxy?.subscribe { state in
        captured.touch()
        heard.record(state.count)
      }
    }
    #expect(tracker.alive == 0)
    #expect(heard.values.isEmpty)
    token?.cancel()
  }

  @Test("proxies can be passed to functions that accept any source of a state")
  func asSource() {
    func watch(_ source: some StateSource<Int>, _ heard: Recorder<Int>) -> SubscriptionToken {
      source.subscribe { heard.record($0) }
    }
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = watch(store.proxy(for: \.count), heard)
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
    token.cancel()
  }

  @Test("a batch of a proxy delivers once, and only runs its closure after the store is released")
  func batch() {
    let proxy: StoreProxy<Counter>
    do {
      let store = makeStore()
      proxy = store.proxy
      let heard = Recorder<Int>()
      let token = store.subscribe(to: \.count, initial: false) { heard.record($0) }
      let result = proxy.batch {
        proxy.dispatch(Increment())
        proxy.dispatch(Increment())
        return 7
      }
      #expect(result == 7)
      #expect(heard.values == [2])
      token.cancel()
    }
    proxy.batch { proxy.dispatch(Increment()) }
    #expect(proxy.state == nil)
  }
}
