import Flux

/// The reducer of the whole state: one table of handlers, made from the handlers of its parts.
let todosReducer = ActionHandlers<TodosState> {
  lift(listReducer, to: Substate { state, body in body(&state.list) })
  lift(displayReducer, to: Substate { state, body in body(&state.display) })
}

/// The reducer of the list, which also restores the saved list.
let listReducer = ActionHandlers<TodoList> {
  on(AddTodo.self) { list, action in
    list.todos.append(Todo(id: list.nextID, text: action.text))
    list.nextID += 1
  }
  on(ImportTodos.self) { list, action in
    for entry in action.entries {
      list.todos.append(Todo(id: list.nextID, text: entry.text, isDone: entry.isDone))
      list.nextID += 1
    }
  }
  on(EditTodo.self) { list, action in
    list.todos.update(action.id) { todo in todo.text = action.text }
  }
  on(ToggleTodo.self) { list, action in
    list.todos.update(action.id) { todo in todo.isDone.toggle() }
  }
  on(RemoveTodos.self) { list, action in list.todos.remove(ids: action.ids) }
  on(ClearDone.self) { list, _ in list.todos.removeAll(where: \.isDone) }
  on(MoveTodo.self) { list, action in
    if let todo = list.todos.remove(id: action.id) { list.todos.insert(todo, at: action.position) }
  }
}

private let displayReducer = ActionHandlers<TodosState.Display> {
  on(SetFilter.self) { display, action in
    display.filter = action.filter
    display.show(.list)
  }
  on(Show.self) { display, action in display.show(action.screen) }
}
