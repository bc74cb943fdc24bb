import Flux
import SampleTerminal

/// Adds the to-dos that stand in a text, as it is read, a hundred at a time.
///
/// Undo takes them back as one step. What was added when it is cancelled, or the text cannot be read to its end, stays.
func importPlan(
  named name: String, lines: @escaping @Sendable () throws -> AsyncThrowingStream<String, any Error>
) -> ActionPlan<TodosState> {
  ActionPlan { store in
    let batch = store.state?.list.nextID ?? 0
    var (waiting, count) = ([ImportTodos.Entry](), 0)
    func add() {
      count += waiting.count
      store.batch {
        store.dispatch(ImportTodos(batch: batch, entries: waiting))
        store.dispatch(Show(screen: .importing(count)))
      }
      waiting = []
    }
    do {
      for try await line in try lines() {
        guard let entry = ImportTodos.Entry(line: line) else { continue }
        waiting.append(entry)
        if waiting.count == 100 { add() }
      }
      try Task.checkCancellation()
      if !waiting.isEmpty { add() }
      store.dispatch(
        Show(screen: count == 0 ? .trouble("There is nothing to do in \(name.quoted).") : .imported(count)))
    } catch {
      store.dispatch(
        Show(screen: .trouble("\(name.quoted) cannot be read\(count == 0 ? "" : " any further").")))
    }
  }
}

extension ImportTodos.Entry {
  /// Understands a line: `- [x] text`, `- text`, or just text; `nil` if there is none.
  init?(line: String) {
    var rest = line.drop(while: \.isWhitespace)
    if rest.hasPrefix("- ") || rest.hasPrefix("* ") { rest = rest.dropFirst(2).drop(while: \.isWhitespace) }
    isDone = rest.lowercased().hasPrefix("[x]")
    if isDone || rest.hasPrefix("[ ]") { rest = rest.dropFirst(3) }
    text = rest.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if text.isEmpty { return nil }
  }
}
