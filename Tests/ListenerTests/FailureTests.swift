import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Errors that listeners throw", .unlessItHangs)
struct FailureTests {
  private let scene = Scene()
  private var listeners: Listeners<Count> { scene.listeners }
  private var journal: Journal { scene.journal }

  @Test("an effect that throws does not prevent other listeners from running")
  func effectThrows() async {
    listeners.start(of: Note.self) { _, _ in throw Trouble() }
    listeners.start(of: Note.self) { [journal] note, _ in journal.note(note.text) }
    await scene.settle(Note(text: "a"))
    #expect(journal.entries == ["a"])
  }

  @Test("a predicate that throws takes no action, and does not prevent other listeners from running")
  func predicateThrows() async {
    listeners.start(when: { _, _, _ in throw Trouble() }) { [journal] _, _ in journal.note("taken") }
    listeners.start(of: Note.self) { [journal] note, _ in journal.note(note.text) }
    await scene.settle(Note(text: "a"))
    #expect(journal.entries == ["a"])
  }

  @Test("an error of an effect is reported with its action and its source, even after a wait")
  func effectTold() async {
    listeners.start(of: Note.self) { note, _ in throw Trouble(text: note.text) }
    listeners.start(of: Note.self) { note, listener in
      try await listener.pause { await Task.yield() }
      throw Trouble(text: note.text)
    }
    await scene.settle(Note(text: "a"))
    let failures = scene.failures.values
    #expect(failures.map { $0.error as? Trouble } == [Trouble(text: "a"), Trouble(text: "a")])
    #expect(failures.map { $0.action as? Note } == [Note(text: "a"), Note(text: "a")])
    #expect(failures.map(\.origin) == [.effect, .effect])
    #expect(failures.map(\.wasCancelled) == [false, false])
    #expect(failures.first?.description == "the effect of a listener failed for Note: Trouble(text: \"a\")")
  }

  @Test("an error of a predicate is reported with its action and its source; a wait continues")
  func predicateTold() async {
    listeners.start(of: Note.self) { [journal] _, listener in
      try await listener.take(doing: {
        listener.dispatch(Add(amount: 1))
        listener.dispatch(Add(amount: 2))
      }) { action, _, _ in
        if (action as? Add)?.amount == 1 { throw Trouble(text: "x") }
        return action is Add
      }
      journal.note("taken")
    }
    await scene.settle(Note())
    #expect(journal.entries == ["taken"])
    #expect(scene.failures.values.map(\.origin) == [.predicate])
    #expect(scene.failures.values.map { $0.action as? Add } == [Add(amount: 1)])
  }

  @Test("cancellation is not reported, whichever error expresses it")
  func cancellation() async {
    listeners.start(of: Note.self) { _, listener in
      listener.cancel()
      try listener.checkCancellation()
    }
    listeners.start(of: Note.self) { _, _ in throw CancellationError() }
    await scene.settle(Note())
    #expect(scene.failures.count == 0)
  }

  @Test("an error of a canceled run is passed to the handler, marked as canceled")
  func afterCancellation() async {
    listeners.start(of: Note.self) { _, listener in
      listener.cancel()
      throw Trouble(text: "connection lost")
    }
    await scene.settle(Note())
    #expect(scene.failures.values.map(\.wasCancelled) == [true])
    #expect(
      scene.failures.values.first?.description.contains("failed for Note after the run was canceled") == true)
  }

  // MARK: Without a handler

  /// A store whose listeners have no error handler, with the errors that are dispatched as
  /// `WorkFailed`.
  private func unhandled() -> (listeners: Listeners<Count>, store: Store<Count>, failed: Recorder<String>) {
    let listeners = Listeners<Count>()
    let failed = Recorder<String>()
    let hearing = Plugin<Count>(
      onTransition: .actions { action, _ in if action is WorkFailed { failed.record("\(action)") } })
    return (listeners, makeStore(plugins: [listeners.plugin, hearing]), failed)
  }

  @Test("without a handler, errors are dispatched as actions")
  func dispatched() async {
    let (listeners, store, failed) = unhandled()
    listeners.start(of: Note.self) { _, _ in throw Trouble(text: "effect") }
    listeners.start(when: { action, _, _ in
      if action is Add { throw Trouble(text: "predicate") }
      return false
    }) { _, _ in }
    await store.dispatchAsync(Note()).finished()
    await store.dispatchAsync(Add()).finished()
    #expect(
      failed.values == [
        "WorkFailed(Note: Trouble(text: \"effect\"))", "WorkFailed(Add: Trouble(text: \"predicate\"))",
      ])
  }

  @Test("without a handler, an error of a canceled run counts as a consequence of the cancellation")
  func dispatchedAfterCancellation() async {
    let (listeners, store, failed) = unhandled()
    listeners.start(of: Note.self) { _, listener in
      listener.cancel()
      throw Trouble()
    }
    await store.dispatchAsync(Note()).finished()
    #expect(failed.values == [])
  }

  @Test("a predicate that throws for every action is reported for each, without an endless loop")
  func predicateThrowsAlways() async {
    let (listeners, store, failed) = unhandled()
    listeners.start(when: { _, _, _ in throw Trouble() }) { _, _ in }
    await store.dispatchAsync(Note()).finished()
    #expect(
      failed.values == [
        "WorkFailed(Note: Trouble(text: \"\"))", "WorkFailed(WorkFailed: Trouble(text: \"\"))",
      ])
  }

  @Test("an effect that fails to handle a failure is reported, and does not receive that report")
  func effectThrowsAlways() async {
    let (listeners, store, failed) = unhandled()
    listeners.start(of: [Note.self, WorkFailed.self]) { action, _ in throw Trouble() }
    await store.dispatchAsync(Note()).finished()
    #expect(
      failed.values == [
        "WorkFailed(Note: Trouble(text: \"\"))", "WorkFailed(WorkFailed: Trouble(text: \"\"))",
      ])
  }
}
