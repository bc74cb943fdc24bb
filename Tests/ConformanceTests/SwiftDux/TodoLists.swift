import FluxCollections
import FluxCore
import Foundation

// The state of the suites of SwiftDux: lists of to-dos.

struct TodoItem: IdentifiableState {
  let id: String
  var text: String
}

struct TodoList: IdentifiableState {
  let id: String
  var name: String
  var todos = OrderedState<TodoItem>()
}

/// The protocol through which a part of an app reads the state.
protocol HasTodoLists: Sendable {
  var todoLists: OrderedState<TodoList> { get }
}

struct TodoListsState: StateType, HasTodoLists {
  var todoLists: OrderedState<TodoList>
}

struct AddTodoList: Action {
  let id: String
  let name: String
}

/// The actions for one of the lists.
enum TodosAction: Action {
  case add(id: String, text: String)
  case remove(at: IndexSet)
  case move(from: IndexSet, to: Int)
  case nothing
}

struct ToList: Action {
  let list: String
  let action: TodosAction
}

private func reduce(_ todos: inout OrderedState<TodoItem>, _ action: TodosAction) {
  switch action {
  case .add(let id, let text): todos.prepend(TodoItem(id: id, text: text))
  case .remove(let positions): todos.remove(at: positions)
  case .move(let positions, let destination): todos.move(from: positions, to: destination)
  case .nothing: break
  }
}

/// A store with one list, whose id all suites use.
func todoListsStore() -> Store<TodoListsState> {
  let reducer = ActionHandlers<TodoListsState> {
    on(AddTodoList.self) { state, action in
      state.todoLists.append(TodoList(id: action.id, name: action.name))
    }
    on(ToList.self) { state, action in
      state.todoLists.update(action.list) { list in reduce(&list.todos, action.action) }
    }
  }
  let items = [("1", "Eggs"), ("2", "Milk"), ("3", "Coffee")].map { TodoItem(id: $0, text: $1) }
  let shopping = TodoList(id: "123", name: "Shopping", todos: OrderedState(items))
  return Store(reducer: reducer, state: TodoListsState(todoLists: [shopping]))
}

extension Store<TodoListsState> {
  /// Performs an operation on the initial list.
  func send(_ action: TodosAction) {
    dispatch(ToList(list: "123", action: action))
  }

  /// The elements of the initial list.
  var todos: OrderedState<TodoItem> { state.todoLists["123"]?.todos ?? [] }
}
