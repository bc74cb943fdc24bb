package import Flux
import FluxLog
package import Foundation
import SampleTerminal

extension TodoApp {
  /// Creates the app with the list in a folder, and shows the list.
  ///
  /// If a file is damaged, the app continues with the changes before the damage, and a copy of the
  /// file is kept. The first start begins with the list that an earlier version of the program
  /// saved.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is created if it does not exist.
  ///   - plugins: Additional plug-ins of the store.
  ///   - show: Shows a piece of text to the user.
  /// - Throws: An error if a file cannot be read or written, or if another program uses the
  ///   folder.
  package convenience init(
    in folder: URL, plugins: [Plugin<TodosState>] = [], show: @escaping @Sendable (String) -> Void
  ) async throws {
    let log = try FileLog(
      in: folder.appending(path: "log", directoryHint: .isDirectory), usesRestOfDamaged: true)
    for problem in log.problems {
      let kept = problem.isInterruptedWrite ? "" : " A copy of the file is kept in the folder log."
      show("! \("\(problem)".tame)\(kept)")
    }
    var list = TodoList()
    if try await log.snapshot() == nil { list = try TodoList(ofEarlierVersionIn: folder, show: show) }
    try await self.init(log: log, beginningWith: list, plugins: plugins, show: show)
  }
}

extension TodoList {
  /// Loads the list from the file `todos.json` of an earlier version of the program.
  ///
  /// The file does not change. Without a file, the list is empty.
  ///
  /// - Throws: An error if the file cannot be read, because it might contain a list.
  fileprivate init(ofEarlierVersionIn folder: URL, show: (String) -> Void) throws(PersistenceError) {
    let persistence = Persistence<TodoList, TodoList>(
      in: FileStorage(directory: folder), name: "todos", onProblem: { _ in })
    let loaded = persistence.load()
    for problem in loaded.problems {
      guard problem.setAsideAs != nil else { throw problem }
      show("! \("\(problem)".tame)")
    }
    self = loaded.value ?? TodoList()
  }
}
