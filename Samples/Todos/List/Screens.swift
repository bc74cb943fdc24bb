import Flux
import SampleTerminal

// The text that the user reads: each function creates the text for a part of the state.

func describe(_ screen: TodosState.Screen, of state: TodosState, history: HistoryRecord) -> String {
  switch screen {
  case .list: describe(state.list, filter: state.display.filter)
  case .history: describe(history)
  case .help: help
  case .importing(let count): "  \(count) so far"
  case .imported(let count): imported(count)
  case .stopped: "The import was stopped. Type undo to remove the imported to-dos."
  case .trouble(let reason): "! \(reason)"
  }
}

/// Returns the number of imported to-dos, and the next commands.
func imported(_ count: Int) -> String {
  "Imported \(count). Type list to see them, or undo to remove them."
}

private func describe(_ list: TodoList, filter: TodosState.Filter) -> String {
  let numbered = list.todos.enumerated().filter { filter.shows($0.element) }
  guard !numbered.isEmpty else {
    return list.todos.isEmpty
      ? "There are no to-dos. To add one, type add and its text." : "No to-do is \(filter)."
  }
  return numbered.map { position, todo in describe(todo, at: position) }.joined(separator: "\n")
}

private func describe(_ todo: Todo, at position: Int) -> String {
  let number = "\(position + 1)"
  let indent = String(repeating: " ", count: max(0, 3 - number.count))
  return "\(indent)\(number) [\(todo.isDone ? "x" : " ")] \(todo.text.tame)"
}

/// Returns a line for each change, with `>` before the last change that is not undone.
private func describe(_ history: HistoryRecord) -> String {
  guard history.count > 0 else { return "Nothing has been changed yet." }
  return history.entries.map { entry in
    let mark = entry.position == history.position ? ">" : " "
    return "\(mark) \(entry)".tame + (entry.position > history.position ? " (undone)" : "")
  }
  .joined(separator: "\n")
}

private let help = """
  add TEXT       add a to-do
  edit N TEXT    change the text of number N
  done N         mark number N as done, or as open again
  remove N …     remove the to-dos with these numbers
  import FILE    add a to-do for each line of a file; Ctrl-C stops the import
  clear          remove all to-dos that are done
  move N to M    move number N to position M
  show WHICH     show all, open, or done
  list           show the list again
  undo           undo the last change
  redo           redo the change that was undone last
  history        show the changes, and the one that undo reverts
  quit           leave the program
  """
