import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Which actions a listener takes while it runs", .unlessItHangs)
struct TakingTests {
  private let scene = Scene()
  private var clock: ManualClock { scene.clock }
  private var store: Store<Count> { scene.store }
  private var journal: Journal { scene.journal }

  /// Starts a listener whose effect waits for ten seconds.
  @discardableResult
  private func start(_ taking: ListenerTaking) -> StartedListener<Count> {
    scene.listeners.start(of: Note.self, taking: taking) { [journal] note, listener in
      journal.note("\(note.text) began")
      try await listener.delay(for: .seconds(10))
      journal.note("\(note.text) ended")
    }
  }

  /// Dispatches actions immediately, one after another.
  private func dispatch(_ texts: String...) -> [DispatchTask] {
    texts.map { store.dispatchAsync(Note(text: $0)) }
  }

  private func finish(_ tasks: [DispatchTask]) async {
    for task in tasks { await task.finished() }
  }

  @Test("every: each action is taken, and the runs are concurrent")
  func every() async {
    start(.every)
    let tasks = dispatch("a", "b", "c")
    await clock.sleepers(atLeast: 3)
    clock.advance(by: .seconds(10))
    await finish(tasks)
    #expect(journal.entries.suffix(3).sorted() == ["a ended", "b ended", "c ended"])
  }

  @Test("latest: each action cancels the earlier runs, and those that had not begun are not run")
  func latest() async {
    start(.latest)
    let first = dispatch("a")
    await clock.sleepers(atLeast: 1)
    let others = dispatch("b", "c")
    await finish(first + Array(others.prefix(1)))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await finish(others)
    #expect(journal.entries.filter { $0.hasSuffix("ended") } == ["c ended"])
    #expect(scene.failures.count == 0)
  }

  @Test("leading: actions are not taken until the run has finished")
  func leading() async {
    start(.leading)
    let first = dispatch("a", "b")
    await clock.sleepers(atLeast: 1)
    await finish(dispatch("c"))
    clock.advance(by: .seconds(10))
    await finish(first)
    let second = dispatch("d", "e")
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await finish(second)
    #expect(journal.entries == ["a began", "a ended", "d began", "d ended"])
  }

  @Test("once: the first action is taken, and ends the listening")
  func once() async {
    let started = start(.once)
    let tasks = dispatch("a", "b")
    #expect(!started.isListening)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await finish(tasks)
    #expect(journal.entries == ["a began", "a ended"])
  }

  @Test("once: a listener that ended itself can be stopped, and is then removed")
  func onceStopped() async {
    let started = start(.once)
    let tasks = dispatch("a")
    #expect(started.stop(cancellingActive: true))
    #expect(!started.stop())
    await finish(tasks)
    #expect(journal.count(of: "a ended") == 0)
  }

  @Test("once: a listener takes one action, even if many threads dispatch")
  func onceThreads() async {
    scene.listeners.start(of: Add.self, taking: .once) { [journal] _, _ in journal.note("taken") }
    let tasks = Recorder<DispatchTask>()
    onThreads(4) { [store] _ in for _ in 0..<50 { tasks.record(store.dispatchAsync(Add())) } }
    await finish(tasks.values)
    #expect(journal.entries == ["taken"])
  }

  // MARK: From inside

  @Test("a run ends the listening of its listener, and continues")
  func unsubscribe() async {
    scene.listeners.start(of: Note.self) { [journal] note, listener in
      if note.text == "b" { listener.unsubscribe() }
      try listener.checkCancellation()
      journal.note(note.text)
    }
    for text in ["a", "b", "c"] { await scene.settle(Note(text: text)) }
    #expect(journal.entries == ["a", "b"])
  }

  @Test("a run resumes the listening, even after the run has finished")
  func subscribe() async {
    let contexts = Recorder<ListenerContext<Count>>()
    scene.listeners.start(of: Note.self) { [journal] note, listener in
      journal.note(note.text)
      listener.unsubscribe()
      if note.text == "a" { try await listener.take(of: Other.self, doing: { journal.note("waiting") }) }
      if note.text == "a" { listener.subscribe() }
      contexts.record(listener)
    }
    let first = store.dispatchAsync(Note(text: "a"))
    await journal.has("waiting")
    await scene.settle(Note(text: "b"))
    store.dispatch(Other())
    await first.finished()
    await scene.settle(Note(text: "c"))
    await scene.settle(Note(text: "d"))
    contexts.values.last?.subscribe()
    await scene.settle(Note(text: "e"))
    #expect(journal.entries == ["a", "waiting", "c", "e"])
  }

  @Test("a listener that was stopped from outside is not resumed from inside")
  func subscribeStopped() async {
    let started = scene.listeners.start(of: Note.self) { [journal] note, listener in
      listener.unsubscribe()
      journal.note(note.text)
      await journal.has("stopped")
      listener.subscribe()
    }
    let task = store.dispatchAsync(Note(text: "a"))
    await journal.has("a")
    started.stop()
    journal.note("stopped")
    await task.finished()
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["a", "stopped"])
    #expect(!started.isListening)
  }

  @Test("resuming a listener that never stopped has no effect")
  func subscribeTwice() async {
    scene.listeners.start(of: Note.self) { [journal] note, listener in
      listener.subscribe()
      listener.subscribe()
      journal.note(note.text)
    }
    await scene.settle(Note(text: "a"))
    await scene.settle(Note(text: "b"))
    #expect(journal.entries == ["a", "b"])
  }
}
