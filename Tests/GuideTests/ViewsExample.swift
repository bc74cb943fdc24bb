// The declarations of Views.md, which `ViewsGuideTests` compares with the page word for word.
import Flux

struct Todo: Equatable, Sendable {
  var title: String
  var isDone = false
}

struct LoginForm: Equatable, Sendable {
  var email = ""
  var remember = false
}

struct TodoApp: FluxState, Equatable {
  var todos: [String: Todo] = [:]
  var filter = ""
  var login = LoginForm()
}

struct SetFilter: Action { let text: String }
struct AddTodo: Action { let id: String, title: String }
struct Check: Action { let id: String }
struct LogIn: Action {}

let todoReducer = ActionHandlers<TodoApp> {
  on(SetFilter.self) { state, action in state.filter = action.text }
  on(AddTodo.self) { state, action in state.todos[action.id] = Todo(title: action.title) }
  on(Check.self) { state, action in state.todos[action.id]?.isDone = true }
  lift(BindingAction<LoginForm>.reducer, to: \.login)
}

struct TodoRow: ConnectableMapping {
  struct Props: Equatable {
    let title: String
    let isDone: Bool
    @ActionBinding var onCheck: () -> Void
  }

  var id: String

  func map(state: TodoApp, binder: ActionBinder) -> Props? {
    guard let todo = state.todos[id] else { return nil }
    return Props(title: todo.title, isDone: todo.isDone, onCheck: binder.bind(Check(id: id)))
  }
}

struct OpenTodos: ConnectedMapping {
  struct Props {
    let count: Int
    let check: (String) -> Void
  }

  func map(state: TodoApp, dispatch: @escaping DispatchFunction) -> Props {
    Props(count: state.todos.values.count { !$0.isDone }) { id in dispatch(Check(id: id)) }
  }
}

struct LoginView: ConnectableMapping {
  struct Props: Equatable {
    @ActionBinding var email: String
    @ActionBinding var remember: Bool
    @ActionBinding var onSubmit: () -> Void
  }

  func map(state: TodoApp, binder: ActionBinder) -> Props? {
    Props(
      email: binder.bind(\.email, of: state.login),
      remember: binder.bind(\.remember, of: state.login),
      onSubmit: binder.bind(LogIn()))
  }
}
