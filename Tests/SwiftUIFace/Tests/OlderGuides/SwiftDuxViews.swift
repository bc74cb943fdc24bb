import Flux
import Foundation
import SwiftUI
import TestSupport

// The views of an app written according to SwiftDux's guides. These names differ here:
// `$props.email` is `props.$email`, the type `Dispatch` is `ActionDispatcher`, `books.value` is
// `books.values`, and `BookListContainer.connect()` is `BookListContainer()`.

struct TodoItemRow: View {
  var item: Todo

  var body: some View {
    Text(item.text)
  }
}

/// A connected view that also has a dispatch function.
struct TodosView: ConnectableView {
  @MappedDispatch() private var dispatch

  func map(state: AppState) -> OrderedState<Todo>? {
    state.todoList.todos
  }

  func body(props: OrderedState<Todo>) -> some View {
    List {
      ForEach(props) { todo in
        TodoItemRow(item: todo)
      }
      .onDelete { self.dispatch(TodoAction.removeTodos(at: $0)) }
      .onMove { self.dispatch(TodoAction.moveTodos(from: $0, to: $1)) }
    }
    Button(action: { self.dispatch(TodoAction.addTwo()) }) {
      Text("Add two")
    }
  }
}

struct RootView: View {
  var body: some View {
    TodosView()
  }
}

/// A connected view with external information.
struct TodoDetailsView: ConnectableView {
  var id: String

  func map(state: TodoList) -> Todo? {
    state[id]
  }

  func body(props: Todo) -> some View {
    Text("details of \(props.text)")
  }
}

/// A form, whose props are bound to actions.
struct LoginFormView: ConnectableView {
  struct Props: Equatable {
    @ActionBinding var email: String
    @ActionBinding var onSubmit: () -> Void
  }

  func map(state: AppState, binder: ActionBinder) -> Props? {
    Props(
      email: binder.bind(state.loginForm.email) {
        LoginFormAction.setEmail($0)
      },
      onSubmit: binder.bind(LoginFormAction.submit)
    )
  }

  func body(props: Props) -> some View {
    VStack {
      TextField("Email", text: props.$email)
      Button(action: props.onSubmit) {
        Text("Submit")
      }
    }
  }
}

/// A list with callbacks.
struct BookListView: View {
  var books: [Todo]
  var onMoveBooks: (IndexSet, Int) -> Void
  var onRemoveBooks: (IndexSet) -> Void

  var body: some View {
    List {
      ForEach(books) { item in
        TodoItemRow(item: item)
      }
      .onMove(perform: onMoveBooks)
      .onDelete(perform: onRemoveBooks)
    }
  }
}

/// A view that connects the list with callbacks, by properties.
struct BookListContainer: View {
  @MappedState var state: AppState
  @Dispatcher var dispatch: ActionDispatcher

  var body: some View {
    BookListView(
      books: state.todoList.todos.values,
      onMoveBooks: { dispatch(TodoAction.moveTodos(from: $0, to: $1)) },
      onRemoveBooks: { dispatch(TodoAction.removeTodos(at: $0)) }
    )
  }
}

/// A list that connects itself by properties.
struct ConnectedBookListView: View {
  @MappedState var state: AppState
  @MappedDispatch() var dispatch

  var body: some View {
    List {
      ForEach(state.todoList.todos) { item in
        TodoItemRow(item: item)
      }
      .onMove { self.dispatch(TodoAction.moveTodos(from: $0, to: $1)) }
      .onDelete { self.dispatch(TodoAction.removeTodos(at: $0)) }
    }
  }
}

/// A list that queries its content while it is visible.
struct TodoListView: ConnectableView {
  let services: TodoServices

  func map(state: AppState) -> [Todo]? {
    state.todoList.todos.values
  }

  func body(props: [Todo]) -> some View {
    renderTodos(todos: props)
      .onAppear(dispatch: TodoAction.queryTodos(by: services))
  }

  func renderTodos(todos: [Todo]) -> some View {
    VStack {
      Text("\(todos.count) todos")
      ForEach(todos) { TodoItemRow(item: $0) }
    }
  }
}

#if DEBUG
  /// A view that Xcode shows next to the code.
  public enum TodoDetails_Previews: PreviewProvider {
    static var store: Store<TodoList> {
      Store(
        reducer: todosReducer,
        state: TodoList(
          id: "1",
          name: "TodoList",
          todos: .init([
            Todo(id: "1", text: "Get milk")
          ])
        )
      )
    }

    /// The details of the only to-do of the preview's own store.
    public static var previews: some View {
      TodoDetailsView(id: "1")
        .provideStore(store)
    }
  }
#endif
