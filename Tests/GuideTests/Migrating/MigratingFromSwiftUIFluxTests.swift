import Flux
import Foundation
import TestSupport
import Testing

@Suite("Migrating.md: SwiftUIFlux behaves differently")
struct MigratingFromSwiftUIFluxTests {
  @Test("`dispatch` reduces the action before it returns.")
  func synchronous() {
    let there = DeferringStore<[String]>.ofNames()
    there.dispatch(Named("A"))
    #expect(there.state == [])
    there.runMainQueue()
    #expect(there.state == ["A"])

    let here = Store(reducer: reduced, state: Reduced())
    here.dispatch(Named("A"))
    #expect(here.state.actions == ["A"])
  }

  @Test("Middleware, `execute`, the reducer, and observers run on the thread that dispatches.")
  func thread() async {
    let isCaller = Recorder<Bool>()
    let here = { @Sendable in isCaller.record(Thread.current.threadDictionary["caller"] != nil) }
    let middleware: Middleware<Reduced> = { _, _ in
      { next in
        { action in
          here(); next(action)
        }
      }
    }
    let reducer: MutatingReducer<Reduced> = { _, _ in here() }
    let store = Store(reducer: reducer, middleware: [middleware], state: Reduced())
    let token = store.subscribe(initial: false) { _ in here() }
    await withCheckedContinuation { continuation in
      let thread = Thread {
        Thread.current.threadDictionary["caller"] = true
        store.dispatch(CallBack { _ in here() })
        continuation.resume()
      }
      thread.start()
    }
    #expect(isCaller.values == [true, true, true, true])
    token.cancel()
  }

  @Test("An action that middleware dispatches before `next` is reduced first.")
  func overtaking() {
    var dispatch: (any Action) -> Void = { _ in }
    let there = DeferringStore<[String]>.ofNames { action, next in
      if action as? Named == Named("Load") { dispatch(Named("ShowSpinner")) }
      next(action)
    }
    dispatch = there.dispatch
    there.dispatch(Named("Load"))
    there.runMainQueue()
    #expect(there.state == ["Load", "ShowSpinner"])

    let spinner: Middleware<Reduced> = { dispatch, _ in
      { next in
        { action in
          if action as? Named == Named("Load") { dispatch(Named("ShowSpinner")) }
          next(action)
        }
      }
    }
    let here = Store(reducer: reduced, middleware: [spinner], state: Reduced())
    here.dispatch(Named("Load"))
    #expect(here.state.actions == ["ShowSpinner", "Load"])
  }

  @Test("A reducer that dispatches stops the program.")
  func dispatchingReducer() async {
    let there = DeferringStore<[String]>(state: []) { store, names, action in
      guard let action = action as? Named else { return names }
      if action == Named("A") { store.dispatch(Named("B")) }
      return names + [action.name]
    }
    there.dispatch(Named("A"))
    there.runMainQueue()
    #expect(there.state == ["A", "B"])

    let here = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let known = Shared<StoreProxy<Reduced>?>(nil)
      let reducer: MutatingReducer<Reduced> = { _, _ in known.value?.dispatch(Named("B")) }
      let store = Store(reducer: reducer, state: Reduced())
      known.value = store.proxy
      store.dispatch(Named("A"))
    }
    let message = String(decoding: here?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("A reducer must not access its store."))
  }

  @Test("The work of an async action starts once, even if the chain lists `asyncActionsMiddleware`.")
  func workOnce() {
    let thereStarts = Shared(0)
    // SwiftUIFlux adds the middleware to every chain. Here it is listed once more.
    let execute: DeferringStore<[String]>.Link = { action, next in
      if action is CallBack { thereStarts.increment() }
      next(action)
    }
    let there = DeferringStore<[String]>.ofNames { action, next in execute(action) { execute($0, next) } }
    there.dispatch(CallBack { _ in })
    there.runMainQueue()
    #expect(thereStarts.value == 2)

    let hereStarts = Shared(0)
    let here = Store(reducer: reduced, middleware: [asyncActionsMiddleware], state: Reduced())
    here.dispatch(CallBack { _ in hereStarts.increment() })
    #expect(hereStarts.value == 1)
  }

  @Test("An observer that reads the store finds the new state.")
  func stateInObserver() {
    // A sink of a `@Published` property is called before the property changes.
    var there = (stored: 0, read: [Int]())
    for value in 1...2 {
      there.read.append(there.stored)
      there.stored = value
    }
    #expect(there.read == [0, 1])

    let here = Recorder<Int>()
    let store = Store(reducer: reduced, state: Reduced())
    let token = store.subscribe(initial: false) { [proxy = store.proxy] _ in
      here.record(proxy.state?.actions.count ?? -1)
    }
    store.dispatch(Named("A"))
    store.dispatch(Named("B"))
    #expect(here.values == [1, 2])
    token.cancel()
  }

  @Test("`getState` returns the state type of the app.")
  func typedState() {
    let there: () -> (any FluxState)? = { Reduced(actions: ["A"]) }
    #expect((there() as? Reduced)?.actions == ["A"])

    let counts = Recorder<Int>()
    let count: Middleware<Reduced> = { _, getState in
      { next in
        { action in
          next(action)
          counts.record(getState()?.actions.count ?? -1)
        }
      }
    }
    Store(reducer: reduced, middleware: [count], state: Reduced()).dispatch(Named("A"))
    #expect(counts.values == [1])
  }

  @Test("A subscription by closure replaces `$state.sink`, and ends when its token is released.")
  func sink() {
    let received = Recorder<Int>()
    let store = Store(reducer: reduced, state: Reduced())
    var token: SubscriptionToken? = store.subscribe { received.record($0.actions.count) }
    store.dispatch(Named("A"))
    #expect(received.values == [0, 1])
    withExtendedLifetime(token) {}
    token = nil
    store.dispatch(Named("B"))
    #expect(received.values == [0, 1])
  }
}

/// An async action whose work is a closure.
private struct CallBack: AsyncAction {
  let work: @Sendable (DispatchFunction) -> Void

  init(_ work: @escaping @Sendable (DispatchFunction) -> Void) {
    self.work = work
  }

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    work(dispatch)
  }
}
