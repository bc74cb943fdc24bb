import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Saving and restoring, in all orders")
struct ExploredPersistenceTests {
  private struct Notebook: FluxState, Equatable, Codable {
    var text = ""
    var isRestored = false
  }

  private struct Write: Action {
    let text: String
  }

  private struct Restored: Action {}

  /// Restores the saved text as the work of an action.
  private struct Restore: TaskAction {
    let persistence: Persistence<Notebook, String>

    func execute(in context: TaskContext<Notebook>) async throws {
      if await persistence.restore() == .restored { context.dispatch(Restored()) }
    }
  }

  private func persistence(
    _ storage: any StateStorage, _ problems: Recorder<PersistenceError>
  ) -> Persistence<Notebook, String> {
    Persistence(of: \.text, in: storage, name: "text", onProblem: { problems.record($0) })
  }

  private func store(
    _ run: ExplorationRun, _ persistence: Persistence<Notebook, String>
  ) -> TestStore<Notebook> {
    run.store(
      reducer: { (state: inout Notebook, action) in
        switch action {
        case let write as Write: state.text = write.text
        case is Restored: state.isRestored = true
        default: break
        }
      }, plugins: [persistence.plugin], state: Notebook())
  }

  /// Returns the files with a saved text.
  private func files(containing text: String) async throws -> [String: Data] {
    let storage = InMemoryStorage()
    let persistence = persistence(storage, Recorder())
    let store = Store(
      reducer: { (state: inout Notebook, action: any Action) in
        if let write = action as? Write { state.text = write.text }
      }, plugins: [persistence.plugin], state: Notebook())
    store.dispatch(Write(text: text))
    try await persistence.flush()
    var files: [String: Data] = [:]
    for name in try storage.names() { files[name] = try storage.read(name) }
    return files
  }

  @Test("the last text is saved, whatever the order of edits and the ends of windows")
  func saving() async {
    let problems = Recorder<PersistenceError>()
    let report = await explore { run in
      let storage = InMemoryStorage()
      let persistence = persistence(storage, problems)
      let store = store(run, persistence)
      for text in ["a", "b"] { run.may("write \(text)") { store.send(Write(text: text)) } }
      await run.untilQuiet()
      let text = store.state.text
      let next = self.persistence(storage, problems)
      #expect(next.load().value ?? "" == text)
    }
    #expect(report.isComplete)
    #expect(problems.values.isEmpty)
  }

  @Test("a restore replaces the text only if it comes before every edit")
  func restoring() async throws {
    let files = try await files(containing: "saved")
    let report = await explore { run in
      let storage = InMemoryStorage(files: files)
      let persistence = persistence(storage, Recorder())
      let store = store(run, persistence)
      run.eventually("an edit is not lost") { (state: Notebook) in
        ["edit", "saved"].contains(state.text)
      }
      store.send(Restore(persistence: persistence))
      run.may("edit") { store.send(Write(text: "edit")) }
      await run.untilQuiet()
      let state = store.state
      #expect(state.text == "edit" || state.isRestored)
      #expect(self.persistence(storage, Recorder()).load().value == state.text)
    }
    #expect(report.isComplete)
  }
}
