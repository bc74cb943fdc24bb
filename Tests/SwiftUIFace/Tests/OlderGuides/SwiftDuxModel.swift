import Flux
import FluxTesting
import Foundation
import TestSupport

// The state, the actions, and the plans of an app written according to SwiftDux's guides, with
// functions as reducers.

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

  /// A plan that queries after the filter has been quiet, and again when it changes, until it is
  /// canceled.
  static func queryTodos(by services: TodoServices) -> ActionPlan<AppState> {
    ActionPlan<AppState> { store in
      services.events.record("begins")
      defer { services.events.record("ends") }
      let filters = store.values(of: \.filterBy)
        .debounced(for: .milliseconds(300), clock: services.clock)
      for await filter in filters {
        do {
          store.dispatch(TodoAction.setTodos(try await services.queryTodos(filter: filter)))
        } catch {
          store.dispatch(TodoAction.setTodos([]))
        }
      }
    }
  }
}

/// The service from which the app queries its todos.
struct TodoServices: Sendable {
  struct Unavailable: Error {}

  let events = EventLog<String>()
  let clock = ManualClock()

  func queryTodos(filter: String) async throws -> [Todo] {
    guard filter != "refused" else { throw Unavailable() }
    return [Todo(id: "1", text: "found \(filter)")]
  }
}
