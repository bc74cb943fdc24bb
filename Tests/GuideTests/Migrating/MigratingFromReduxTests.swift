import Flux
import Foundation
import TestSupport
import Testing

@Suite("Migrating.md: Redux behaves differently")
struct MigratingFromReduxTests {
  private let store = Store(reducer: reduced, state: Reduced())

  @Test("A subscription calls its closure at once, with the state.")
  func initialCall() {
    var thereCalls = 0
    let there = JavaScriptStore()
    _ = there.subscribe { thereCalls += 1 }
    #expect(thereCalls == 0)

    let here = Recorder<Int>()
    let tokens = [
      store.subscribe { here.record($0.actions.count) },
      store.subscribe(initial: false) { _ in here.record(-1) },
    ]
    #expect(here.values == [0])
    withExtendedLifetime(tokens) {}
  }

  @Test("A subscription to a part is called only when the part has changed.")
  func parts() {
    let here = Recorder<Int>()
    let token = store.subscribe(to: \.actions.count) { here.record($0) }
    store.dispatch(EmptyAction())
    store.dispatch(Named("A"))
    #expect(here.values == [0, 1])
    token.cancel()
  }

  @Test("An observer that another observer cancels is not called anymore.")
  func cancelling() {
    var thereCalls: [String] = []
    let there = JavaScriptStore()
    var stop: () -> Void = {}
    _ = there.subscribe {
      thereCalls.append("first")
      stop()
    }
    stop = there.subscribe { thereCalls.append("second") }
    there.dispatch()
    #expect(thereCalls == ["first", "second"])

    let hereCalls = Recorder<String>()
    let second = Shared<SubscriptionToken?>(nil)
    let first = store.subscribe(initial: false) { _ in
      hereCalls.record("first")
      second.value?.cancel()
    }
    second.value = store.subscribe(initial: false) { _ in hereCalls.record("second") }
    store.dispatch(Named("A"))
    #expect(hereCalls.values == ["first"])
    first.cancel()
  }

  @Test("An observer that dispatches finishes before any observer receives the newer state.")
  func nesting() {
    var thereCalls: [String] = []
    let there = JavaScriptStore()
    _ = there.subscribe {
      thereCalls.append("first begins \(there.count)")
      if there.count == 1 { there.dispatch() }
      thereCalls.append("first ends")
    }
    there.dispatch()
    #expect(thereCalls == ["first begins 1", "first begins 2", "first ends", "first ends"])

    let hereCalls = Recorder<String>()
    let token = store.subscribe(initial: false) { [proxy = store.proxy] state in
      hereCalls.record("first begins \(state.actions.count)")
      if state.actions.count == 1 { proxy.dispatch(Named("B")) }
      hereCalls.record("first ends")
    }
    store.dispatch(Named("A"))
    #expect(hereCalls.values == ["first begins 1", "first ends", "first begins 2", "first ends"])
    token.cancel()
  }

  @Test("A reducer that touches its store stops the program; Redux throws an error.")
  func reducerTouchesStore() async {
    let here = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let known = Shared<StoreProxy<Reduced>?>(nil)
      let reducer: MutatingReducer<Reduced> = { _, _ in _ = known.value?.state }
      let store = Store(reducer: reducer, state: Reduced())
      known.value = store.proxy
      store.dispatch(Named("A"))
    }
    let message = String(decoding: here?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("A reducer must not access its store."))
  }

  @Test("A store sends no action of its own, and starts with the state that it is given.")
  func initialState() {
    let actions = Recorder<String>()
    let reducer: MutatingReducer<Reduced> = { _, action in actions.record("\(action)") }
    let store = Store(reducer: reducer, state: Reduced(actions: ["A"]))
    store.replaceReducer(reducer)
    #expect(actions.values == [])
    #expect(store.state.actions == ["A"])
  }

  @Test("A request is an action, and reaches the reducer between `Pending` and its outcome.")
  func request() async throws {
    let actions = Recorder<String>()
    let reducer: MutatingReducer<Reduced> = { _, action in
      switch action {
      case is Load: actions.record("Load")
      case is Load.Pending: actions.record("Pending")
      case is Load.Fulfilled: actions.record("Fulfilled")
      default: break
      }
    }
    let store = Store(reducer: reducer, state: Reduced())
    #expect(try await store.request(Load()).value == 1)
    // A thunk of Redux Toolkit's dispatches just the other two.
    #expect(actions.values.filter { $0 != "Load" } == ["Pending", "Fulfilled"])
    #expect(actions.values.contains("Load"))
  }

  @Test("Actions that no view dispatches are shown once, on the main actor's next turn.")
  @MainActor
  func batching() async {
    let here = Recorder<Int>()
    let token = store.subscribe(initial: false, onMain: { here.record($0.actions.count) })
    store.batch { for name in ["A", "B", "C"] { store.dispatch(Named(name)) } }
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        while here.count == 0 { await Task.yield() }
        continuation.resume()
      }
    }
    #expect(here.values == [3])
    token.cancel()
  }
}

/// A request that is fulfilled with 1.
private struct Load: AsyncRequest {
  func perform(in context: RequestContext<Reduced>) async throws -> Int { 1 }
}
