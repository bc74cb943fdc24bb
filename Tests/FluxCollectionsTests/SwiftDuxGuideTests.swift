import FluxCollections
import FluxCore
import Foundation
import TestSupport
import Testing

// The operations of SwiftDux's guides on ordered state, with the reducer as a function.

private struct TodoItem: IdentifiableState {
  var id: String
  var text: String
}

private struct TodoState: StateType {
  var todos: OrderedState<TodoItem>
}

private enum TodoAction: Action {
  case setTodos([TodoItem])
  case addTodo(TodoItem)
  case removeTodos(at: IndexSet)
  case moveTodos(from: IndexSet, to: Int)
}

private func reduce(state: inout TodoState, action: any Action) {
  switch action as? TodoAction {
  case .setTodos(let todos): state.todos = OrderedState(todos)
  case .addTodo(let todo): state.todos.append(todo)
  case .removeTodos(let indexSet): state.todos.remove(at: indexSet)
  case .moveTodos(let indexSet, let index): state.todos.move(from: indexSet, to: index)
  case nil: break
  }
}

@Suite("SwiftDux's guides")
struct SwiftDuxGuideTests {
  private let store = Store(
    reducer: reduce as MutatingReducer<TodoState>,
    state: TodoState(todos: .init([TodoItem(id: "1", text: "Get milk")])))

  @Test("the actions of a list view contain the arguments that the list operations need")
  func actions() {
    store.dispatch(TodoAction.setTodos((1...4).map { TodoItem(id: "\($0)", text: "todo \($0)") }))
    store.dispatch(TodoAction.moveTodos(from: [0, 1], to: 4))
    store.dispatch(TodoAction.removeTodos(at: [0]))
    store.dispatch(TodoAction.addTodo(TodoItem(id: "5", text: "last")))
    #expect(store.state.todos.values.map(\.id) == ["4", "1", "2", "5"])
    #expect(store.state.todos["1"]?.text == "todo 1")
  }

  @Test("an observer of a slice that is a list is called when the list differs")
  func slice() {
    let heard = Recorder<Int>()
    let token = store.subscribe(to: \.todos) { todos in heard.record(todos.count) }
    store.dispatch(TodoAction.addTodo(TodoItem(id: "2", text: "")))
    store.dispatch(TodoAction.moveTodos(from: [0], to: 0))
    #expect(heard.values == [1, 2])
    withExtendedLifetime(token) {}
  }

  @Test("a selector computes again only when the list differs")
  func selector() {
    let texts = StateSelector(\TodoState.todos) { todos in todos.map(\.text) }
    #expect(texts(store.state) == ["Get milk"])
    #expect(texts(store.state) == ["Get milk"])
    #expect(texts.recomputations == 1)
    store.dispatch(TodoAction.removeTodos(at: [0]))
    #expect(texts(store.state).isEmpty)
  }
}
