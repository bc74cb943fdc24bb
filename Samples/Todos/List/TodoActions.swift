import Flux

/// Adds a to-do at the end.
struct AddTodo: Action, Codable {
  let text: String
}

/// Adds a batch of to-dos from a text file that is being imported.
struct ImportTodos: Action, Codable, CustomStringConvertible {
  struct Entry: Codable {
    let text: String
    let isDone: Bool
  }

  /// The number of the import to which the to-dos belong.
  let batch: Int
  let entries: [Entry]

  var description: String { "ImportTodos(\(entries.count))" }
}

/// Changes the text of a to-do.
struct EditTodo: Action, Codable {
  let id: Int
  let text: String
}

/// Marks a to-do as done, or as not done.
struct ToggleTodo: Action, Codable {
  let id: Int
}

/// Removes to-dos.
struct RemoveTodos: Action, Codable {
  let ids: [Int]
}

/// Removes all to-dos that are done.
struct ClearDone: Action, Codable {}

/// Moves a to-do to another position, counted from 0.
struct MoveTodo: Action, Codable {
  let id: Int
  let position: Int
}

/// Sets the filter that determines which to-dos are shown.
struct SetFilter: Action, CustomStringConvertible {
  let filter: TodosState.Filter

  var description: String { "SetFilter(filter: \(filter))" }
}

/// Shows a screen.
struct Show: Action, CustomStringConvertible {
  let screen: TodosState.Screen

  var description: String { "Show(screen: \(screen))" }
}
