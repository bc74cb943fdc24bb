// The model and the views of SwiftUIViews.md, word for word: the tests of the other guides compare
// them.
import Flux
import Foundation
import SwiftUI

struct Todo: Identifiable, Equatable, Sendable {
  let id: String
  var title: String
  var isDone = false
}

struct LoginForm: FluxState, Equatable {
  var email = ""
  var remember = false
  var isLoggedIn = false
}

struct TodoApp: FluxState, Equatable {
  var todos = OrderedState<Todo>()
  var login = LoginForm()
}

struct Check: Action { let id: String, isDone: Bool }
struct MoveTodos: Action { let from: IndexSet, to: Int }
struct RemoveTodos: Action { let at: IndexSet }
struct AddTodo: Action { let todo: Todo }
struct SetEmail: Action { let email: String }
struct LogIn: Action {}
struct SignOutNow: Action {}

struct LoadTodos: AsyncAction {
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    dispatch(AddTodo(todo: Todo(id: "loaded", title: "Loaded")))
  }
}

let todoReducer: ActionHandlers<TodoApp> = combine(
  on(Check.self) { state, action in state.todos[action.id]?.isDone = action.isDone },
  on(MoveTodos.self) { state, action in state.todos.move(from: action.from, to: action.to) },
  on(RemoveTodos.self) { state, action in state.todos.remove(at: action.at) },
  on(AddTodo.self) { state, action in state.todos.append(action.todo) },
  on(SetEmail.self) { state, action in state.login.email = action.email.lowercased() },
  on(LogIn.self) { state, _ in state.login.isLoggedIn = true },
  on(SignOutNow.self) { state, _ in state.login = LoginForm() },
  lift(BindingAction<LoginForm>.reducer, to: \.login)
)

struct RootView: View {
  let store: Store<TodoApp>

  var body: some View {
    TodosView()
      .provideStore(store)
  }
}

struct TodoRow: ConnectableView {
  struct Props: Equatable {
    let title: String
    @ActionBinding var isDone: Bool
  }

  var id: String

  func map(state: TodoApp, binder: ActionBinder) -> Props? {
    state.todos[id].map { todo in
      Props(title: todo.title, isDone: binder.bind(todo.isDone) { Check(id: id, isDone: $0) })
    }
  }

  func body(props: Props) -> some View {
    Toggle(props.title, isOn: props.$isDone)
  }
}

struct OpenTodos: ConnectedView {
  struct Props: Equatable {
    let count: Int
  }

  func map(state: TodoApp, dispatch: @escaping DispatchFunction) -> Props {
    Props(count: state.todos.count { !$0.isDone })
  }

  func body(props: Props) -> some View {
    Text("\(props.count) to do")
  }
}

struct Email: View {
  var body: some View {
    StoreConnector { (state: TodoApp, dispatch) in
      Text(state.login.email)
      Button("Sign out") { dispatch(SignOutNow()) }
    }
  }
}

struct Greeting: ConnectableViewModifier {
  func map(state: TodoApp) -> String? {
    state.login.email
  }

  func body(props: String, content: Content) -> some View {
    Text("Hello, \(props)")
    content
  }
}

struct SignOut: View {
  @MappedState var login: LoginForm
  @MappedDispatch() private var dispatch

  var body: some View {
    Button("Sign out \(login.email)") { dispatch(SignOutNow()) }
  }
}

struct ReloadButton: View {
  @Environment(\.actionDispatcher) private var dispatch

  var body: some View {
    Button("Reload") { dispatch(LoadTodos()) }
  }
}

struct TodoCount: View {
  @EnvironmentObject var store: Store<TodoApp>

  var body: some View {
    Text("\(store.state.todos.count) in all")
  }
}

struct LoginView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var email: String
    @ActionBinding var remember: Bool
    @ActionBinding var onSubmit: @MainActor () -> Void
  }

  func map(state: TodoApp, binder: ActionBinder) -> Props? {
    Props(
      email: binder.bind(state.login.email) { SetEmail(email: $0) },
      remember: binder.bind(\.remember, of: state.login),
      onSubmit: binder.bind(LogIn()))
  }

  func body(props: Props) -> some View {
    TextField("Email", text: props.$email)
    Toggle("Remember me", isOn: props.$remember)
    Button("Log in", action: props.onSubmit)
  }
}

struct TodosView: ConnectableView {
  @MappedDispatch() private var dispatch

  func map(state: TodoApp) -> [String]? {
    state.todos.map(\.id)
  }

  func body(props: [String]) -> some View {
    List {
      ForEach(props.map(Row.init)) { row in
        TodoRow(id: row.id)
      }
      .onMove { dispatch(MoveTodos(from: $0, to: $1)) }
      .onDelete { dispatch(RemoveTodos(at: $0)) }
    }
  }

  private struct Row: Identifiable {
    let id: String
  }
}

struct LoadedTodos: View {
  var body: some View {
    VStack {
      OpenTodos()
      TodosView()
    }
    .onAppear(dispatch: LoadTodos())
  }
}

struct ReadOnly: View {
  var body: some View {
    TodosView()
      .onAction { action in
        action is RemoveTodos || action is MoveTodos ? nil : action
      }
  }
}

enum TodoRow_Previews: PreviewProvider {
  static var previews: some View {
    TodoRow(id: "1")
      .provideStore(
        Store(reducer: todoReducer, state: TodoApp(todos: [Todo(id: "1", title: "Get milk")])))
  }
}
