import FluxCore
import TestSupport

// The state of the suites of Redux: a list of to-dos.

struct Todo: Equatable, Sendable {
  let id: Int
  let text: String
}

struct Todos: FluxState, Equatable {
  var all: [Todo] = []

  var texts: [String] { all.map(\.text) }

  fileprivate func next(_ text: String) -> Todo {
    Todo(id: (all.map(\.id).max() ?? 0) + 1, text: text)
  }
}

struct AddTodo: Action, Equatable {
  let text: String
}

/// An action that no reducer handles.
struct Unknown: Action {}

@Sendable func appendingTodos(_ todos: inout Todos, _ action: any Action) {
  if let action = action as? AddTodo { todos.all.append(todos.next(action.text)) }
}

@Sendable func prependingTodos(_ todos: inout Todos, _ action: any Action) {
  if let action = action as? AddTodo { todos.all.insert(todos.next(action.text), at: 0) }
}

func todoStore(_ middleware: Middleware<Todos>..., state: Todos = Todos()) -> Store<Todos> {
  Store(reducer: appendingTodos, middleware: middleware, state: state)
}

/// Dispatches to a store whose reducer calls a function of the store.
func reduceTouching(
  before prepare: (Store<Todos>) -> Void = { _ in }, _ touch: @escaping @Sendable (Store<Todos>) -> Void
) {
  let own = Shared<Store<Todos>?>(nil)
  let store = Store(reducer: { (_: inout Todos, _) in own.value.map(touch) }, state: Todos())
  own.value = store
  prepare(store)
  store.dispatch(Unknown())
}

/// Counts its calls.
final class Listener: Sendable {
  private let count = Shared(0)

  var calls: Int { count.value }

  func call() {
    count.increment()
  }

  func listen(to store: Store<Todos>) -> SubscriptionToken {
    store.subscribe(initial: false) { [self] (_: Todos) in call() }
  }
}

/// A middleware that records the types of the actions that pass through it.
func noting<State>(in heard: Recorder<String>) -> Middleware<State> {
  { _, _ in
    { next in
      { action in
        heard.record("\(type(of: action))")
        next(action)
      }
    }
  }
}

/// Two parts, each changed by a separate action.
struct Parts: FluxState, Equatable {
  var foo = 0
  var bar = 0
}

struct SetFoo: Action {}
struct SetBar: Action {}

let setFoo: ActionHandlers<Int> = on(SetFoo.self) { foo, _ in foo = 1 }
let setBar: ActionHandlers<Int> = on(SetBar.self) { bar, _ in bar = 2 }

func partsStore(_ middleware: Middleware<Parts>...) -> Store<Parts> {
  let reducer = combine(lift(setFoo, to: \Parts.foo), lift(setBar, to: \.bar))
  return Store(reducer: reducer, middleware: middleware, state: Parts())
}
