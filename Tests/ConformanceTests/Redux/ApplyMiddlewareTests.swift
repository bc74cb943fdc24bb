import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite(
  "Redux: applyMiddleware",
  .cases(of: "reduxjs/redux", "test/applyMiddleware.spec.ts", at: "3084fc33", count: 5))
struct ApplyMiddlewareTests {
  @Test(
    "a dispatch while the chain is being built stops the program",
    .differs(
      1,
      because: """
        Redux throws an error. Flux stops the program with a message, because the initializer of a store \
        does not throw, and the action would bypass the rest of the chain.
        """))
  func dispatchWhileBuilding() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = todoStore({ dispatch, _ in
        dispatch(AddTodo(text: "a"))
        return { next in next }
      })
    }
    expect(result, says: "AddTodo(text: \"a\") was dispatched while the middleware chain was being built")
  }

  @Test(
    "a middleware receives the store once, as a function that dispatches and one that returns the state",
    .holds(2))
  func givenOnce() {
    let given = Recorder<(dispatch: DispatchFunction, getState: @Sendable () -> Todos?)>()
    let store = todoStore(
      { dispatch, getState in
        given.record((dispatch, getState))
        return { next in next }
      }, thunkMiddleware())
    store.dispatch(AddTodo(text: "a"))
    given.values.first?.dispatch(AddTodo(text: "b"))
    #expect(given.count == 1)
    #expect(given.values.first?.getState()?.texts == ["a", "b"])
    #expect(store.state.texts == ["a", "b"])
  }

  @Test("an action that an asynchronous action dispatches passes through the whole chain", .holds(3))
  func recursive() async {
    let heard = Recorder<String>()
    let store = todoStore(noting(in: heard), thunkMiddleware())
    await store.dispatchAsync(AddTodoLater(text: "a")).finished()
    #expect(heard.values == ["AddTodoLater", "AddTodo"])
  }

  @Test(
    "a thunk reads the state and dispatches; asynchronous work is an asynchronous action",
    .differs(
      4,
      because: """
        A thunk of Redux can be asynchronous, and returns a promise. In Flux, asynchronous work is a \
        separate kind of action, which is canceled when the store is released, and which its caller can \
        await.
        """))
  func thunks() async {
    let store = todoStore(thunkMiddleware())
    let addIfEmpty = Thunk<Todos> { dispatch, getState in
      if getState()?.all.isEmpty == true { dispatch(AddTodo(text: "a")) }
    }
    store.dispatch(addIfEmpty)
    #expect(store.state.texts == ["a"])
    store.dispatch(addIfEmpty)
    #expect(store.state.texts == ["a"])
    store.dispatch(AddTodo(text: "b"))
    #expect(store.state.texts == ["a", "b"])
    await store.dispatchAsync(AddTodoLater(text: "c")).finished()
    #expect(store.state.texts == ["a", "b", "c"])
  }

  static let meaningless = [
    MeaninglessCase(
      5, "a middleware can dispatch with additional arguments, which the chain also receives",
      because: "A dispatch function has a single parameter. Additional values are fields of the action.")
  ]
}

private struct AddTodoLater: TaskAction {
  let text: String

  func execute(state: Todos, dispatch: @escaping DispatchFunction) async {
    await Task.yield()
    dispatch(AddTodo(text: text))
  }
}
