import Flux
import SampleTerminal

/// Returns a plan that adds the to-dos of an imported text file while the file is read, in
/// batches that begin with a hundred to-dos and grow.
///
/// An import of any size is therefore a few dozen actions, and undo reverts them in one step.
/// If the import is canceled, or the text cannot be read to its end, the added to-dos remain.
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
  /// Parses a line: `- [x] text`, `- text`, or only text; returns `nil` if the line has no
  /// text.
  ///
  /// The parser processes scalars instead of characters. A character can consist of a space and a
  /// combining mark, and that mark belongs to the text.
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
