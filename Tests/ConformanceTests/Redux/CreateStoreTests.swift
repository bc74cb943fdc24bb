import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite(
  "Redux: createStore",
  .cases(of: "reduxjs/redux", "test/createStore.spec.ts", at: "3084fc33", count: 42),
  .unlessItHangs)
struct CreateStoreTests {
  @Test(
    "a store has functions to read, to dispatch, to subscribe, and to replace the reducer",
    .differs(
      1,
      because: """
        A store of Flux has additional functions: `withState` reads the state without a copy, `batch` \
        notifies observers once for several actions, and proxies do not keep the store alive.
        """))
  func face() {
    let store = todoStore()
    let listener = Listener()
    let token = listener.listen(to: store)
    store.dispatch(AddTodo(text: "a"))
    store.replaceReducer(prependingTodos)
    store.batch {
      store.dispatch(AddTodo(text: "b"))
      store.proxy.dispatch(AddTodo(text: "c"))
    }
    #expect(store.state.texts == ["c", "b", "a"])
    #expect(store.withState(\.texts) == ["c", "b", "a"])
    #expect(listener.calls == 2)
    token.cancel()
  }

  // MARK: State

  @Test("a store starts with the state that it is given", .holds(3))
  func firstState() {
    let state = Todos(all: [Todo(id: 1, text: "a")])
    // No action has been reduced yet.
    let store = Store(reducer: { (todos: inout Todos, _) in todos.all = [] }, state: state)
    #expect(store.state == state)
    store.dispatch(Unknown())
    #expect(store.state == Todos())
  }

  @Test("each action is reduced on the state that the previous action left", .holds(4))
  func previousState() {
    let store = todoStore()
    store.dispatch(Unknown())
    #expect(store.state == Todos())
    store.dispatch(AddTodo(text: "a"))
    #expect(store.state.all == [Todo(id: 1, text: "a")])
    store.dispatch(AddTodo(text: "b"))
    #expect(store.state.all == [Todo(id: 1, text: "a"), Todo(id: 2, text: "b")])
  }

  @Test("the first action is reduced on the initial state", .holds(5))
  func onFirstState() {
    let store = todoStore(state: Todos(all: [Todo(id: 7, text: "a")]))
    store.dispatch(Unknown())
    #expect(store.state.all == [Todo(id: 7, text: "a")])
    store.dispatch(AddTodo(text: "b"))
    #expect(store.state.all == [Todo(id: 7, text: "a"), Todo(id: 8, text: "b")])
  }

  @Test("replacing the reducer keeps the state", .holds(6))
  func replacing() {
    let store = todoStore()
    for text in ["a", "b"] { store.dispatch(AddTodo(text: text)) }
    store.replaceReducer(prependingTodos)
    #expect(store.state.texts == ["a", "b"])
    store.dispatch(AddTodo(text: "c"))
    #expect(store.state.texts == ["c", "a", "b"])
    store.replaceReducer(appendingTodos)
    #expect(store.state.texts == ["c", "a", "b"])
    store.dispatch(AddTodo(text: "d"))
    #expect(store.state.texts == ["c", "a", "b", "d"])
  }

  @Test("a reducer of fewer parts may replace another one, without a warning", .holds(40))
  func fewerParts() {
    let problems = Recorder<String>()
    let checks = Plugin<Parts>.developmentChecks(clock: ManualClock(), evenInRelease: true) {
      problems.record("\($0)")
    }
    let store = Store(
      reducer: combine(lift(setFoo, to: \.foo), lift(setBar, to: \.bar)), plugins: [checks], state: Parts())
    store.dispatch(SetFoo())
    let setOtherBar: ActionHandlers<Int> = on(SetBar.self) { bar, _ in bar = 3 }
    store.replaceReducer(lift(setOtherBar, to: \Parts.bar))
    store.dispatch(SetBar())
    #expect(store.state == Parts(foo: 1, bar: 3))
    #expect(problems.values.isEmpty)
  }

  // MARK: Actions

  @Test(
    "an action is a value of any type that conforms to `Action`: a structure, an enumeration, or an object",
    .differs(
      16,
      because: """
        Redux accepts only plain objects, and checks this at run time. In Flux, the compiler accepts only \
        types that conform to `Action`.
        """))
  func kindsOfActions() {
    enum Case: Action { case one }
    final class Object: Action {}
    let heard = Recorder<String>()
    let store = todoStore(noting(in: heard))
    let actions: [any Action] = [Unknown(), Case.one, Object()]
    for action in actions { store.dispatch(action) }
    #expect(heard.values == ["Unknown", "Case", "Object"])
  }

  // MARK: Inside a reducer

  @Test(
    "a dispatch inside a reducer stops the program",
    .differs(
      18,
      because: """
        Redux throws an error. Flux stops the program with a message that names both actions, because a \
        reducer runs under the store's lock and cannot throw.
        """))
  func dispatchInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      reduceTouching { $0.dispatch(AddTodo(text: "a")) }
    }
    expect(result, says: "AddTodo(text: \"a\") was dispatched while the reducer was handling Unknown()")
  }

  @Test(
    "a read of the store's state inside a reducer stops the program",
    .differs(
      19,
      because: """
        Redux throws an error. Flux stops the program with a message, as it does for a dispatch inside a \
        reducer.
        """))
  func readInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      reduceTouching { _ = $0.state }
    }
    expect(result, says: "the store's state was read while the reducer was handling Unknown()")
  }

  @Test(
    "a subscription inside a reducer stops the program",
    .differs(
      20,
      because: """
        Redux throws an error. Flux stops the program with a message, as it does for a dispatch inside a \
        reducer.
        """))
  func subscribeInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      reduceTouching { _ = $0.subscribe { (_: Todos) in } }
    }
    expect(result, says: "subscribe was called while the reducer was handling Unknown()")
  }

  @Test(
    "a cancellation inside a reducer stops the program",
    .differs(
      21,
      because: """
        Redux throws an error. Flux stops the program with a message, as it does for a dispatch inside a \
        reducer.
        """))
  func cancelInReducer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let token = Shared<SubscriptionToken?>(nil)
      reduceTouching(before: { token.value = Listener().listen(to: $0) }) { _ in token.value?.cancel() }
    }
    expect(result, says: "a subscription was canceled", "while the reducer was handling Unknown()")
  }

  // MARK: Extending a store

  @Test(
    "extensions of a store are given to its initializer with the initial state, and receive each action",
    .differs(
      27,
      because: """
        An enhancer of Redux replaces the functions of a store. A plug-in of Flux adds middleware, wraps \
        the reducer, or receives each transition.
        """))
  func plugin() {
    let heard = Recorder<String>()
    let audit = Plugin<Todos>(
      middleware: noting(in: heard), onTransition: .actions { action, version in heard.record("\(version)") })
    let store = Store(reducer: appendingTodos, plugins: [audit], state: Todos())
    store.dispatch(AddTodo(text: "a"))
    #expect(heard.values == ["AddTodo", "1"])
    #expect(store.state.texts == ["a"])
  }

  @Test(
    "a store accepts several plug-ins, the first of which is the outermost",
    .differs(
      42,
      because: """
        Redux accepts one enhancer, and throws an error if it receives several. Flux accepts a list of \
        plug-ins, which has an order.
        """))
  func plugins() {
    let heard = Recorder<String>()
    let wrapping = ["first", "second"].map { name in
      Plugin<Todos>(wrapReducer: { reducer in
        { state, action in
          heard.record(name)
          reducer(&state, action)
        }
      })
    }
    let store = Store(reducer: appendingTodos, plugins: wrapping, state: Todos())
    store.dispatch(AddTodo(text: "a"))
    #expect(heard.values == ["first", "second"])
    #expect(store.state.texts == ["a"])
  }
}

extension CreateStoreTests {
  static let meaningless = [
    MeaninglessCase(
      2, "a reducer that is not a function is rejected",
      because: "The compiler rejects a value that is not a function."),
    MeaninglessCase(
      15, "a listener's `this` does not reveal the store's list of listeners",
      because: "A closure receives only its arguments."),
    MeaninglessCase(
      22, "a store remains usable after its reducer has thrown an error",
      because: "The type of a reducer does not permit it to throw."),
    MeaninglessCase(
      23, "an action without a type is rejected",
      because: "Every value in Swift has a type, which is the type of the action."),
    MeaninglessCase(
      24, "the message about a value that is not an action names the kind of the value",
      because: "The compiler reports the value, because it cannot be dispatched."),
    MeaninglessCase(
      25, "an action whose type is undefined is rejected",
      because: "Every value in Swift has a type, which is the type of the action."
    ),
    MeaninglessCase(
      26, "an action whose type is not a string is rejected",
      because: "The type of an action is a Swift type instead of a field."),
    MeaninglessCase(
      28, "an enhancer can be the second argument if the initial state is omitted",
      because: "Arguments have labels, and a store always has an initial state."),
    MeaninglessCase(
      29, "an enhancer that is not a function is rejected", because: "The compiler accepts only plug-ins."
    ),
    MeaninglessCase(
      30, "a replacement reducer that is not a function is rejected",
      because: "The compiler rejects a value that is not a function."),
    MeaninglessCase(
      31, "a listener that is not a function is rejected",
      because: "The compiler rejects a value that is not a function."),
    MeaninglessCase(
      34, "the observable of a store's observable is the same observable",
      because: """
        Swift has no protocol with which an observable returns its observable: a sequence can be iterated \
        directly.
        """),
    MeaninglessCase(
      35, "an observer that is not an object is rejected", because: "The compiler accepts only a closure."),
    MeaninglessCase(
      41, "several enhancers without an initial state are rejected",
      because: "A store always has an initial state. The next case is about several plug-ins."),
  ]
}
