import Flux
import SampleTerminal

/// Adds the to-dos that stand in a text, as it is read, a hundred at a time, and more when there are many.
///
/// So an import of any size is a few dozen actions, and undo takes them back as one step. What was added when it
/// is cancelled, or the text cannot be read to its end, stays.
func importPlan(
  named name: String, lines: @escaping @Sendable () throws -> AsyncThrowingStream<String, any Error>
) -> ActionPlan<TodosState> {
  ActionPlan { store in
    let batch = store.state?.list.nextID ?? 0
    var (waiting, count, size) = ([ImportTodos.Entry](), 0, 100)
    func add(showing screen: (_ count: Int) -> TodosState.Screen) {
      count += waiting.count
      store.batch {
        if !waiting.isEmpty { store.dispatch(ImportTodos(batch: batch, entries: waiting)) }
        store.dispatch(Show(screen: screen(count)))
      }
      waiting = []
    }
    do {
      for try await line in try lines() {
        guard let entry = ImportTodos.Entry(line: line) else { continue }
        waiting.append(entry)
        guard waiting.count == size else { continue }
        add { .importing($0) }
        if count == 10 * size { size = count }
      }
      try Task.checkCancellation()
      add { $0 == 0 ? .trouble("There is nothing to do in \(name.quoted).") : .imported($0) }
    } catch {
      let reason = (error as? UnreadableFile).map { ": \($0.reason)" } ?? ""
      add { count in
        let end = count == 0 ? "\(reason)." : " any further\(reason). \(imported(count))"
        return .trouble("\(name.quoted) cannot be read\(end)")
      }
    }
  }
}

extension ImportTodos.Entry {
  /// Understands a line: `- [x] text`, `- text`, or just text; `nil` if there is none.
  ///
  /// It is read by scalars: a character may be a space and what joins it, which is part of the text.
  init?(line: String) {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    func begins(with mark: String) -> Bool { rest.starts(with: mark.unicodeScalars) }
    var rest = line.unicodeScalars.drop(while: isSpace)
    if begins(with: "- ") || begins(with: "* ") { rest = rest.dropFirst(2).drop(while: isSpace) }
    isDone = begins(with: "[x]") || begins(with: "[X]")
    if isDone || begins(with: "[ ]") { rest = rest.dropFirst(3) }
    text = rest.split(whereSeparator: isSpace).map { String($0) }.joined(separator: " ")
    if text.isEmpty { return nil }
  }
}
