import FluxCollections
import FluxCore
import Foundation

// What the suites of SwiftDux are about: lists of things to do.

struct TodoItem: IdentifiableState {
  let id: String
  var text: String
}

struct TodoList: IdentifiableState {
  let id: String
  var name: String
  var todos = OrderedState<TodoItem>()
}

/// What a part of an app knows of the state.
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

/// What is done with one of the lists.
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

/// A store with a list, of which all suites know the id.
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
  /// Does something with the list that there is from the beginning.
  func send(_ action: TodosAction) {
    dispatch(ToList(list: "123", action: action))
  }

  /// What is in the list that there is from the beginning.
  var todos: OrderedState<TodoItem> { state.todoLists["123"]?.todos ?? [] }
}
