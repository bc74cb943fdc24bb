import Flux
import Foundation
import TestSupport

// The state, the actions and the plans of an app written to SwiftDux's guides, with functions for reducers.

struct AppState: StateType {
  var todoList = TodoList()
  var loginForm = LoginForm()
  var filterBy = ""
}

struct TodoList: StateType {
  var id = "1"
  var name = "TodoList"
  var todos = OrderedState<Todo>()

  subscript(id: String) -> Todo? { todos[id] }
}

struct Todo: IdentifiableState {
  var id: String
  var text: String
}

struct LoginForm: StateType {
  var email = ""
  var submitted: String?
}

enum TodoAction: Action {
  case setTodos([Todo])
  case addTodo(text: String)
  case removeTodos(at: IndexSet)
  case moveTodos(from: IndexSet, to: Int)
}

enum LoginFormAction: Action {
  case setEmail(String)
  case submit
}

enum FilterAction: Action {
  case filter(String)
}

func todosReducer(state: TodoList, action: Action) -> TodoList {
  var state = state
  switch action as? TodoAction {
  case .setTodos(let todos):
    state.todos = OrderedState(todos)
  case .addTodo(let text):
    state.todos.append(Todo(id: "\(state.todos.count + 1)", text: text))
  case .removeTodos(let indexSet):
    state.todos.remove(at: indexSet)
  case .moveTodos(let indexSet, let index):
    state.todos.move(from: indexSet, to: index)
  case nil:
    break
  }
  return state
}

func appReducer(state: AppState, action: Action) -> AppState {
  var state = state
  state.todoList = todosReducer(state: state.todoList, action: action)
  switch action {
  case LoginFormAction.setEmail(let email):
    state.loginForm.email = email
  case LoginFormAction.submit:
    state.loginForm.submitted = state.loginForm.email
  case FilterAction.filter(let text):
    state.filterBy = text
  default:
    break
  }
  return state
}

extension TodoAction {
  /// A plan that groups actions.
  static func addTwo() -> ActionPlan<AppState> {
    ActionPlan<AppState> { store in
      store.dispatch(TodoAction.addTodo(text: "first"))
      store.dispatch(TodoAction.addTodo(text: "second"))
    }
  }

  /// A plan that queries again when the filter changes, for as long as it is not cancelled.
  static func queryTodos(_ events: EventLog<String>) -> ActionPlan<AppState> {
    ActionPlan<AppState> { store, completed in
      events.record("begins")
      let tracked = Ending { events.record("ends") }
      return store.subscribe(to: \.filterBy) { filter in
        tracked.touch()
        store.dispatch(TodoAction.setTodos([Todo(id: "1", text: "found \(filter)")]))
      }
    }
  }
}

/// Tells when nobody keeps it any more.
private final class Ending: Sendable {
  let tell: @Sendable () -> Void

  init(_ tell: @escaping @Sendable () -> Void) {
    self.tell = tell
  }

  func touch() {}

  deinit { tell() }
}
