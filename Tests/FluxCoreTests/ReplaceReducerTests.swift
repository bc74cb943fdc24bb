import FluxCore
import TestSupport
import Testing

@Suite struct ReplaceReducerTests {
  @Test("a replacement reducer reduces the next action, and the state is kept")
  func replaces() {
    let store = makeStore()
    store.dispatch(Increment())
    store.replaceReducer { (state: inout Counter, _: any Action) in state.count -= 10 }
    #expect(store.state.count == 1)
    store.dispatch(Increment())
    #expect(store.state.count == -9)
  }

  @Test("the reducer can be replaced by one that returns the next state, and by handlers")
  func forms() {
    let store = makeStore()
    let returning: Reducer<Counter> = { state, _ in Counter(count: state.count + 100) }
    store.replaceReducer(returning)
    store.dispatch(Nothing())
    #expect(store.state.count == 100)
    let handlers: ActionHandlers<Counter> = on(Increment.self) { state, _ in state.count += 1000 }
    store.replaceReducer(handlers)
    store.dispatch(Nothing())
    store.dispatch(Increment())
    #expect(store.state.count == 1100)
  }

  @Test("replacing the reducer calls no observers and makes no version")
  func silent() {
    let versions = Recorder<UInt64>()
    let heard = Recorder<Int>()
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, version in versions.record(version) })]
    )
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.replaceReducer(countingReducer)
    #expect(versions.values.isEmpty)
    #expect(heard.values.isEmpty)
    store.dispatch(Increment())
    #expect(versions.values == [1])
    #expect(heard.values == [1])
    token.cancel()
  }

  @Test("an observer may replace the reducer")
  func fromAnObserver() {
    let store = makeStore()
    let token = store.subscribe(initial: false) { _ in
      store.replaceReducer { (state: inout Counter, _: any Action) in state.count = -1 }
    }
    store.dispatch(Increment())
    #expect(store.state.count == 1)
    store.dispatch(Increment())
    #expect(store.state.count == -1)
    token.cancel()
  }

  @Test("a middleware may replace the reducer for the action that it is passing on")
  func fromMiddleware() {
    let target = Shared<Store<Counter>?>(nil)
    let replacing: Middleware<Counter> = { _, _ in
      { next in
        { action in
          target.value?.replaceReducer { (state: inout Counter, _: any Action) in state.count = 42 }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [replacing])
    target.value = store
    store.dispatch(Increment())
    #expect(store.state.count == 42)
    target.value = nil
  }

  @Test("replacing waits for a reduction that runs on another thread")
  func serialised() {
    let entered = Gate()
    let leave = Gate()
    let heard = Recorder<String>()
    let store = Store(
      reducer: { (state: inout Counter, _: any Action) in
        entered.open()
        leave.wait()
        heard.record("old done")
        state.count += 1
      }, state: Counter())
    let dispatching = Worker { store.dispatch(Increment()) }
    entered.wait()
    let replacing = Worker {
      store.replaceReducer { (state: inout Counter, _: any Action) in state.count += 100 }
      heard.record("replaced")
    }
    leave.open()
    dispatching.join()
    replacing.join()
    store.dispatch(Increment())
    #expect(heard.values == ["old done", "replaced"])
    #expect(store.state.count == 101)
  }
}
