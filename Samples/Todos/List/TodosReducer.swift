import Flux

/// The reducer of the whole: one table of handlers, made of those of its parts.
let todosReducer: ActionHandlers<TodosState> = combine(
  lift(listReducer, to: Substate { state, body in body(&state.list) }),
  lift(displayReducer, to: Substate { state, body in body(&state.display) })
)

private let listReducer: ActionHandlers<TodoList> = combine(
  on(AddTodo.self) { list, action in
    list.todos.append(Todo(id: list.nextID, text: action.text))
    list.nextID += 1
  },
  on(ImportTodos.self) { list, action in
    for entry in action.entries {
      list.todos.append(Todo(id: list.nextID, text: entry.text, isDone: entry.isDone))
      list.nextID += 1
    }
  },
  on(EditTodo.self) { list, action in
    list.change(action.id) { todo in todo.text = action.text }
  },
  on(ToggleTodo.self) { list, action in
    list.change(action.id) { todo in todo.isDone.toggle() }
  },
  on(RemoveTodos.self) { list, action in
    list.todos.removeAll { todo in action.ids.contains(todo.id) }
  },
  on(ClearDone.self) { list, _ in list.todos.removeAll(where: \.isDone) },
  on(MoveTodo.self) { list, action in
    guard let index = list.todos.firstIndex(where: { $0.id == action.id }) else { return }
    let todo = list.todos.remove(at: index)
    list.todos.insert(todo, at: min(max(0, action.position), list.todos.count))
  }
)

private let displayReducer: ActionHandlers<TodosState.Display> = combine(
  on(SetFilter.self) { display, action in
    display.filter = action.filter
    display.show(.list)
  },
  on(Show.self) { display, action in display.show(action.screen) }
)

extension TodoList {
  fileprivate mutating func change(_ id: Int, _ body: (inout Todo) -> Void) {
    guard let index = todos.firstIndex(where: { $0.id == id }) else { return }
    body(&todos[index])
  }
}
