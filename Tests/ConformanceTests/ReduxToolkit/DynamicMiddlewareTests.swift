import FluxCore
import FluxMiddleware
import FluxUI
import TestSupport
import Testing

private struct Probe: Action {
  let number: Int
}

/// A middleware that consumes the probes of a number.
private func catching(_ number: Int, in caught: Recorder<Int>) -> Middleware<Todos> {
  interceptActions(of: Probe.self) { _, probe, next in
    if probe.number == number { caught.record(number) } else { next(probe) }
  }
}

@Suite(
  "Redux Toolkit: createDynamicMiddleware",
  .cases(
    of: "reduxjs/redux-toolkit", "packages/toolkit/src/dynamicMiddleware/tests/index.test.ts", at: "74200d87",
    count: 2))
struct DynamicMiddlewareTests {
  private let dynamic = DynamicMiddleware<Todos>()
  private let caught = Recorder<Int>()

  @Test("middleware can be added to a running store", .holds(1))
  func adding() {
    let store = todoStore(dynamic.middleware, catching(1, in: caught))
    store.dispatch(Probe(number: 2))
    store.dispatch(Probe(number: 1))
    #expect(caught.takeAll() == [1])
    dynamic.add(catching(2, in: caught))
    store.dispatch(Probe(number: 2))
    store.dispatch(Probe(number: 1))
    #expect(caught.values == [2, 1])
  }

  @Test(
    "a dispatch function that was obtained earlier passes through middleware that is added later",
    .differs(
      2,
      because: """
        Redux Toolkit adds middleware with an action that returns a dispatch function with a new type, \
        because middleware can change the result of a dispatch. In Flux, a dispatch returns nothing, and \
        existing dispatch functions remain valid.
        """))
  func sameDispatch() {
    let store = todoStore(dynamic.middleware)
    let dispatch: DispatchFunction = store.dispatch
    dispatch(Probe(number: 2))
    #expect(caught.values.isEmpty)
    dynamic.add(catching(2, in: caught))
    dispatch(Probe(number: 2))
    #expect(caught.values == [2])
  }
}

@MainActor
@Suite(
  "Redux Toolkit: createDynamicMiddleware, of views",
  .cases(
    of: "reduxjs/redux-toolkit", "packages/toolkit/src/dynamicMiddleware/tests/react.test.tsx",
    at: "74200d87",
    count: 3))
struct DynamicMiddlewareOfViewsTests {
  private let dynamic = DynamicMiddleware<Todos>()
  private let caught = Recorder<Int>()

  @Test(
    "middleware that a view adds applies to the whole store",
    .differs(
      1,
      because: """
        Redux Toolkit adds middleware with a hook. Flux has no hooks, and adds middleware with a method \
        call.
        """))
  func forEverybody() {
    let store = todoStore(dynamic.middleware, catching(1, in: caught))
    dynamic.add(catching(2, in: caught))
    for number in 1...2 { store.dispatch(Probe(number: number)) }
    #expect(caught.values == [1, 2])
  }

  @Test(
    "an action that a view dispatches passes through middleware that is added later",
    .differs(
      2,
      because: """
        In Redux Toolkit, a hook returns the dispatch function. In Flux, the dispatcher of a view is \
        created from the store of the view.
        """))
  func dispatcher() {
    let store = todoStore(dynamic.middleware, catching(1, in: caught))
    let dispatch = ActionDispatcher(store)
    dynamic.add(catching(2, in: caught))
    for number in 1...2 { dispatch(Probe(number: number)) }
    #expect(caught.values == [1, 2])
  }

  @Test(
    "an action of a view goes to the store of the view's dispatcher, and through that store's middleware",
    .differs(
      3,
      because: """
        In Redux Toolkit, a React context determines the store. In Flux, a dispatcher belongs to a single \
        store.
        """))
  func ofItsStore() {
    let stores = [todoStore(dynamic.middleware), todoStore(dynamic.middleware)]
    dynamic.add(catching(2, in: caught))
    let dispatch = ActionDispatcher(stores[1])
    dispatch(Probe(number: 2))
    dispatch(AddTodo(text: "a"))
    #expect(caught.values == [2])
    #expect(stores.map(\.state.texts) == [[], ["a"]])
  }
}
