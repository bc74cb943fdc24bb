import FluxCore
import TestSupport
import Testing

/// A middleware that records when an action arrives and when the next link returns.
private func reporting(_ name: String, to heard: Recorder<String>) -> Middleware<Counter> {
  { _, _ in
    { next in
      { action in
        heard.record("\(name) in")
        next(action)
        heard.record("\(name) out")
      }
    }
  }
}

/// A middleware made from a closure that receives the action and the next link.
private func passing(
  _ pass: @escaping @Sendable (_ action: any Action, _ next: DispatchFunction) -> Void
) -> Middleware<Counter> {
  { _, _ in { next in { action in pass(action, next) } } }
}

@Suite struct MiddlewareTests {
  @Test("an action passes through the chain in order, and returns in reverse order")
  func order() {
    let heard = Recorder<String>()
    let store = makeStore(middleware: [reporting("a", to: heard), reporting("b", to: heard)])
    store.dispatch(Increment())
    #expect(heard.values == ["a in", "b in", "b out", "a out"])
    #expect(store.state.count == 1)
  }

  @Test("the outer closures run once, while the store is made")
  func outerClosures() {
    let heard = Recorder<String>()
    let counting: Middleware<Counter> = { _, _ in
      heard.record("given the store")
      return { next in
        heard.record("given next")
        return next
      }
    }
    let store = makeStore(middleware: [counting])
    #expect(heard.values == ["given the store", "given next"])
    store.dispatch(Increment())
    store.dispatch(Increment())
    #expect(heard.count == 2)
    #expect(store.state.count == 2)
  }

  @Test("a middleware reads the state before and after the action")
  func stateAround() {
    let heard = Recorder<Int?>()
    let reading: Middleware<Counter> = { _, getState in
      { next in
        { action in
          heard.record(getState()?.count)
          next(action)
          heard.record(getState()?.count)
        }
      }
    }
    let store = makeStore(middleware: [reading])
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
  }

  @Test(
    "an action that another thread dispatches while the chain is being built is sent when the chain exists")
  func dispatchFromAnotherThreadWhileBuilding() {
    let hasty: Middleware<Counter> = { dispatch, _ in
      onAnotherThread {
        dispatch(Increment())
        dispatch(Rename(name: "early"))
      }
      return { next in next }
    }
    let passed = Shared(0)
    let store = makeStore(
      middleware: [
        hasty,
        { _, _ in
          { next in
            { action in
              passed.increment()
              next(action)
            }
          }
        },
      ])
    #expect(store.state == Counter(count: 1, name: "early"))
    #expect(passed.value == 2)
  }

  @Test("the state can be read while the chain is being built")
  func stateWhileBuilding() {
    let heard = Recorder<Int?>()
    let reading: Middleware<Counter> = { _, getState in
      heard.record(getState()?.count)
      return { next in next }
    }
    let store = makeStore(middleware: [reading], state: Counter(count: 5))
    #expect(heard.values == [5])
    #expect(store.state.count == 5)
  }

  @Test("observers have been called when next returns")
  func observersBeforeNextReturns() {
    let heard = Recorder<String>()
    let store = makeStore(middleware: [reporting("a", to: heard)])
    let token = store.subscribe(initial: false) { _ in heard.record("observer") }
    store.dispatch(Increment())
    #expect(heard.values == ["a in", "observer", "a out"])
    token.cancel()
  }

  @Test("a middleware that never calls next holds the action")
  func never() {
    let store = makeStore(middleware: [passing { action, next in if !(action is Increment) { next(action) } }]
    )
    let heard = Recorder<String>()
    let token = store.subscribe(initial: false) { heard.record($0.name) }
    store.dispatch(Increment())
    store.dispatch(Rename(name: "a"))
    #expect(store.state == Counter(name: "a"))
    #expect(heard.values == ["a"])
    token.cancel()
  }

  @Test("a middleware that calls next several times reduces the action as often")
  func many() {
    let store = makeStore(middleware: [passing { action, next in for _ in 0..<3 { next(action) } }])
    store.dispatch(Increment())
    #expect(store.state.count == 3)
  }

  @Test("a middleware may pass on another action")
  func another() {
    let store = makeStore(
      middleware: [passing { action, next in next(action is Increment ? Increment(amount: 10) : action) }])
    store.dispatch(Increment())
    #expect(store.state.count == 10)
  }

  @Test("a middleware may call next later, from another thread")
  func later() {
    let held = Recorder<@Sendable () -> Void>()
    let holding: Middleware<Counter> = { _, _ in { next in { action in held.record { next(action) } } } }
    let store = makeStore(middleware: [holding])
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.dispatch(Increment())
    #expect(store.state.count == 0)
    onAnotherThread { for next in held.values { next() } }
    #expect(store.state.count == 1)
    #expect(heard.values == [1])
    token.cancel()
  }

  @Test("an action that middleware dispatches passes through the whole chain")
  func wholeChain() {
    let heard = Recorder<String>()
    let first = passing { action, next in
      heard.record("\(type(of: action))")
      next(action)
    }
    let second: Middleware<Counter> = { dispatch, _ in
      { next in
        { action in
          if action is Rename { dispatch(Increment()) }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [first, second])
    store.dispatch(Rename(name: "a"))
    #expect(heard.values == ["Rename", "Increment"])
    #expect(store.state == Counter(count: 1, name: "a"))
  }

  @Test("an action that an observer dispatches passes through the whole chain")
  func observerThroughChain() {
    let heard = Recorder<String>()
    let store = makeStore(middleware: [reporting("a", to: heard)])
    let token = store.subscribe(initial: false) { state in
      if state.count == 1 { store.dispatch(Increment()) }
    }
    store.dispatch(Increment())
    #expect(heard.values == ["a in", "a in", "a out", "a out"])
    token.cancel()
  }

  @Test("a middleware runs on the dispatching thread")
  func thread() {
    let local = ThreadLocal()
    let same = Recorder<Bool>()
    let store = makeStore(
      middleware: [
        passing { action, next in
          same.record(local.isMarked)
          next(action)
        }
      ])
    onAnotherThread {
      local.mark()
      store.dispatch(Increment())
    }
    store.dispatch(Increment())
    #expect(same.values == [true, false])
  }

  @Test("after the release of the store there is no state, and late calls are dropped silently")
  func afterTheEnd() {
    let late = Recorder<@Sendable () -> Void>()
    let states = Recorder<Int?>()
    let reduced = Shared(0)
    let holding: Middleware<Counter> = { dispatch, getState in
      { next in
        { action in
          late.record {
            next(action)
            dispatch(action)
            states.record(getState()?.count)
          }
        }
      }
    }
    var store: Store<Counter>? = Store(
      reducer: { (_: inout Counter, _: any Action) in _ = reduced.increment() }, middleware: [holding],
      state: Counter())
    store?.dispatch(Increment())
    #expect(store != nil)
    store = nil
    for call in late.values { call() }
    #expect(reduced.value == 0)
    #expect(states.values == [nil])
    #expect(late.count == 1, "the dispatch did not enter the chain")
  }

  @Test("combined middleware passes an action on in order")
  func combined() {
    let heard = Recorder<String>()
    let (a, b, c) = (reporting("a", to: heard), reporting("b", to: heard), reporting("c", to: heard))
    let order = ["a in", "b in", "c in", "c out", "b out", "a out"]
    for chain in [combine(a, b, c), combine(combine(a, b), c), combine(a, combine(b, c))] {
      heard.takeAll()
      let store = makeStore(middleware: [chain])
      store.dispatch(Increment())
      #expect(heard.values == order)
      #expect(store.state.count == 1)
    }
  }

  @Test("the combination of no middleware passes everything on")
  func combinedNone() {
    let none: Middleware<Counter> = combine()
    let store = makeStore(middleware: [none])
    store.dispatch(Increment())
    #expect(store.state.count == 1)
  }

  @Test("the links of a middleware keep separate state for each store")
  func perStore() {
    let heard = Recorder<Int>()
    let numbering: Middleware<Counter> = { _, _ in
      let passed = Shared(0)
      return { next in
        { action in
          heard.record(passed.increment())
          next(action)
        }
      }
    }
    let stores = [makeStore(middleware: [numbering]), makeStore(middleware: [numbering])]
    for store in stores { for _ in 0..<2 { store.dispatch(Increment()) } }
    #expect(heard.values == [1, 2, 1, 2])
  }
}
