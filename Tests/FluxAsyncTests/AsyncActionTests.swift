import FluxAsync
import FluxCore
import Synchronization
import TestSupport
import Testing

@Suite("Async actions", .unlessItHangs)
struct AsyncActionTests {
  @Test("a store without any middleware executes an async action once")
  func bareStore() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Work(journal))
    #expect(journal.entries.filter { $0.hasPrefix("execute") } == ["execute with 0"])
  }

  @Test("an async action is executed once for each time that it reaches the reducer")
  func eachArrival() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    for _ in 1...3 { store.dispatch(Work(journal)) }
    #expect(journal.entries.filter { $0.hasPrefix("execute") }.count == 3)
  }

  @Test("an async action that a middleware passes on twice is executed twice")
  func passedOnTwice() {
    let journal = Journal()
    let doubling: Middleware<Count> = { _, _ in
      { next in
        { action in
          next(action)
          next(action)
        }
      }
    }
    let store = Store(reducer: journal.reducer, middleware: [doubling], state: Count())
    store.dispatch(Work(journal))
    #expect(journal.entries == ["reduce Work", "execute with 0", "reduce Work", "execute with 0"])
  }

  @Test("an async action is executed after it has been reduced, and dispatch returns after both")
  func afterReduced() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Work(journal))
    #expect(journal.entries == ["reduce Work", "execute with 0"])
  }

  @Test("an async action receives the state before its own reduction, with all earlier actions")
  func seesState() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Add(amount: 7))
    store.dispatch(Work(journal))
    #expect(journal.entries == ["reduce Add", "reduce Work", "execute with 7"])
  }

  @Test("an action that an async action dispatches immediately is reduced after it")
  func dispatchesAtOnce() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Work(journal) { dispatch in dispatch(Add(amount: 2)) })
    #expect(journal.entries == ["reduce Work", "execute with 0", "reduce Add"])
    #expect(store.state.count == 2)
  }

  @Test("an action that an async action dispatches passes through the whole chain")
  func wholeChain() {
    let journal = Journal()
    let store = Store(
      reducer: journal.reducer, middleware: [journal.noting("first"), journal.noting("second")],
      state: Count())
    store.dispatch(Work(journal) { dispatch in dispatch(Add(amount: 2)) })
    #expect(
      journal.entries == [
        "first: Work", "second: Work", "reduce Work", "execute with 0", "first: Add", "second: Add",
        "reduce Add",
      ])
  }

  @Test("one async action may dispatch another, which is executed too")
  func another() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Work(journal) { dispatch in dispatch(Work(journal)) })
    #expect(journal.entries == ["reduce Work", "execute with 0", "reduce Work", "execute with 0"])
  }

  @Test("an action that an async action dispatches later, from another thread, is reduced")
  func later() async {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    await withCheckedContinuation { continuation in
      store.dispatch(
        Work(journal) { dispatch in
          Task {
            dispatch(Add(amount: 3))
            continuation.resume()
          }
        })
    }
    #expect(store.state.count == 3)
  }

  @Test("an async action behind an existential is executed")
  func existential() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    let action: any Action = Work(journal)
    store.dispatch(action)
    store.dispatch(action: action)
    #expect(journal.entries.filter { $0.hasPrefix("execute") }.count == 2)
  }

  @Test("an ordinary action starts no work")
  func ordinary() {
    let journal = Journal()
    let store = Store(reducer: journal.reducer, state: Count())
    store.dispatch(Add(amount: 1))
    #expect(journal.entries == ["reduce Add"])
  }
}

@Suite("Async actions in a chain", .unlessItHangs)
struct AsyncActionChainTests {
  @Test("a store that lists the middleware for async actions executes them once", arguments: 1...3)
  func listed(times: Int) {
    let journal = Journal()
    let store = Store(
      reducer: journal.reducer, middleware: Array(repeating: asyncActionsMiddleware, count: times),
      state: Count())
    store.dispatch(Work(journal) { dispatch in dispatch(Add(amount: 2)) })
    #expect(journal.entries == ["reduce Work", "execute with 0", "reduce Add"])
  }

  @Test("the middleware for async actions passes every action on")
  func passesOn() {
    let journal = Journal()
    let store = Store(
      reducer: journal.reducer,
      middleware: [journal.noting("before"), asyncActionsMiddleware, journal.noting("behind")], state: Count()
    )
    store.dispatch(Add(amount: 2))
    #expect(journal.entries == ["before: Add", "behind: Add", "reduce Add"])
  }

  @Test("a middleware that holds an async action prevents its work")
  func heldBack() {
    let journal = Journal()
    let holding: Middleware<Count> = { _, _ in
      { next in
        { action in
          if !(action is Work) { next(action) }
        }
      }
    }
    let store = Store(reducer: journal.reducer, middleware: [holding], state: Count())
    store.dispatch(Work(journal))
    store.dispatch(Add(amount: 1))
    #expect(journal.entries == ["reduce Add"])
  }

  @Test("a middleware that holds an async action and passes it on later starts the work at that time")
  func delayed() {
    let journal = Journal()
    let held = Held()
    let store = Store(reducer: journal.reducer, middleware: [held.middleware()], state: Count())
    store.dispatch(Work(journal))
    #expect(journal.entries == [])
    held.passOn()
    #expect(journal.entries == ["reduce Work", "execute with 0"])
  }
}

@Suite("Async actions of a released store", .unlessItHangs)
struct AsyncActionAfterStoreTests {
  @Test("an async action that is dispatched after the store is released does nothing, and starts no work")
  func lateDispatch() throws {
    let journal = Journal()
    let kept = Mutex<DispatchFunction?>(nil)
    do {
      let store = Store(reducer: journal.reducer, middleware: [journal.noting("chain")], state: Count())
      store.dispatch(Work(journal) { dispatch in kept.withLock { $0 = dispatch } })
    }
    let before = journal.entries
    let dispatch = try #require(kept.withLock { $0 })
    dispatch(Add(amount: 1))
    dispatch(Work(journal))
    #expect(before == ["chain: Work", "reduce Work", "execute with 0"])
    #expect(journal.entries == before)
  }

  @Test("an async action that a middleware passes on after the store is released is not executed")
  func latePassing() {
    let journal = Journal()
    let held = Held()
    do {
      let store = Store(reducer: journal.reducer, middleware: [held.middleware()], state: Count())
      store.dispatch(Work(journal))
    }
    held.passOn()
    #expect(journal.entries == [])
  }

  @Test("the dispatch function that work receives does not keep the store alive")
  func release() throws {
    let journal = Journal()
    let kept = Mutex<DispatchFunction?>(nil)
    weak var gone: Store<Count>?
    do {
      let store = Store(reducer: journal.reducer, state: Count())
      store.dispatch(Work(journal) { dispatch in kept.withLock { $0 = dispatch } })
      gone = store
    }
    #expect(gone == nil)
    _ = try #require(kept.withLock { $0 })
  }
}
