import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Cancellation of runs", .unlessItHangs)
struct ListenerCancellingTests {
  private let scene = Scene()
  private var listeners: Listeners<Count> { scene.listeners }
  private var store: Store<Count> { scene.store }
  private var journal: Journal { scene.journal }

  /// A listener for `Note` that waits forever, and records why its wait ended.
  private func waiting() -> Listener<Count> {
    Listener(of: Note.self) { [journal] _, listener in
      journal.note(
        await reason { try await listener.take(of: Other.self, doing: { journal.note("waiting") }) })
    }
  }

  enum Way: CaseIterable { case handle, id, action }

  @Test("stopping a listener can also cancel its runs", arguments: Way.allCases)
  func stopCancelling(_ way: Way) async {
    let started = listeners.start(waiting())
    let task = store.dispatchAsync(Note())
    await journal.has("waiting")
    switch way {
    case .handle: started.stop(cancellingActive: true)
    case .id: listeners.stop(started.id, cancellingActive: true)
    case .action: store.dispatch(ListenerAction<Count>.stop(started.id, cancellingActive: true))
    }
    await task.finished()
    #expect(journal.entries == ["waiting", "the listener was stopped"])
  }

  @Test("stopping alone cancels nothing; the runs can be canceled later")
  func stopWithoutCancelling() async {
    let started = listeners.start(waiting())
    let task = store.dispatchAsync(Note())
    await journal.has("waiting")
    started.stop()
    #expect(task.isRunning)
    #expect(!started.stop(cancellingActive: true))
    await task.finished()
    #expect(journal.entries == ["waiting", "the listener was stopped"])
  }

  @Test(
    "clearing cancels all runs, including those of stopped listeners, and stops all listeners",
    arguments: [false, true])
  func clear(byAction: Bool) async {
    listeners.start(waiting())
    let paused = listeners.start(of: Subtract.self) { [journal] _, listener in
      listener.unsubscribe()
      journal.note(
        await reason { try await listener.condition(doing: { journal.note("waiting") }) { _, _, _ in false } }
      )
    }
    listeners.start(of: Add.self) { [journal] _, _ in journal.note("heard") }
    listeners.start(when: { action, _, _ in action is Add }) { [journal] _, _ in journal.note("heard") }
    let tasks = [store.dispatchAsync(Note()), store.dispatchAsync(Subtract())]
    await journal.has("waiting", times: 2)
    #expect(!paused.isListening)
    if byAction { store.dispatch(ListenerAction<Count>.clear) } else { listeners.clear() }
    for task in tasks { await task.finished() }
    for action in [Note(), Add(), Subtract()] as [any Action] { await scene.settle(action) }
    #expect(
      journal.entries.sorted() == [
        "the listener was stopped", "the listener was stopped", "waiting", "waiting",
      ])
  }

  @Test("a run that hangs is canceled by clearing after another run has ended the listening")
  func clearAfterOtherRun() async {
    listeners.start(of: Add.self) { [journal] add, listener in
      if add.amount == 2 { return listener.unsubscribe() }
      journal.note(
        await reason { try await listener.condition(doing: { journal.note("waiting") }) { _, _, _ in false } }
      )
    }
    let hanging = store.dispatchAsync(Add(amount: 1))
    await journal.has("waiting")
    await scene.settle(Add(amount: 2))
    await scene.settle(Add(amount: 3))
    #expect(journal.entries == ["waiting"])
    #expect(hanging.isRunning)
    listeners.clear()
    await hanging.finished()
    #expect(journal.entries == ["waiting", "the listener was stopped"])
  }

  @Test("clearing cancels forked tasks together with the run")
  func clearForks() async {
    listeners.start(of: Note.self) { [journal] _, listener in
      listener.unsubscribe()
      let polling = listener.fork { task in
        journal.note("inner: " + (await reason { try await task.delay(for: .seconds(1)) }))
      }
      await journal.has("go")
      journal.note("outer: " + (await reason { try await polling.value }))
    }
    let task = store.dispatchAsync(Note())
    await scene.clock.sleepers(atLeast: 1)
    listeners.clear()
    await journal.has("inner: the listener was stopped")
    journal.note("go")
    await task.finished()
    #expect(journal.entries.suffix(2) == ["go", "outer: the listener was stopped"])
  }

  @Test("a later run cancels the earlier runs of its listener, but neither itself nor other listeners' runs")
  func cancelActive() async {
    let started = Shared(0)
    listeners.start(of: Add.self) { [journal] add, listener in
      started.increment()
      if add.amount == 3 { return listener.cancelActiveListeners() }
      journal.note(
        await reason { try await listener.take(of: Subtract.self, doing: { journal.note("waiting") }) })
    }
    listeners.start(waiting())
    let others = store.dispatchAsync(Note())
    let tasks = [store.dispatchAsync(Add(amount: 1)), store.dispatchAsync(Add(amount: 2))]
    await journal.has("waiting", times: 3)
    await scene.settle(Add(amount: 3))
    for task in tasks { await task.finished() }
    #expect(started.value == 3)
    #expect(journal.count(of: "a later run of the listener replaced this run") == 2)
    #expect(others.isRunning)
    store.dispatch(Other())
    await others.finished()
    #expect(journal.count(of: "returned") == 1)
  }

  @Test("an earlier run cancels no later one, even if it starts late")
  func newestStays() async {
    let door = Door()
    listeners.start(of: Add.self) { [journal] add, listener in
      if add.amount == 1 { await door.pass() }
      listener.cancelActiveListeners()
      journal.note("\(add.amount) cancelled: \(listener.isCancelled)")
      if add.amount == 1 { return }
      journal.note(await reason { try await listener.delay(for: .seconds(1)) })
    }
    let first = store.dispatchAsync(Add(amount: 1))
    let second = store.dispatchAsync(Add(amount: 2))
    await scene.clock.sleepers(atLeast: 1)
    door.open()
    await first.finished()
    scene.clock.advance(by: .seconds(1))
    await second.finished()
    #expect(journal.entries == ["2 cancelled: false", "1 cancelled: true", "returned"])
  }

  @Test("the context contains the reason for a cancellation, or that the run is complete")
  func reasons() async {
    let contexts = Recorder<ListenerContext<Count>>()
    listeners.start(of: Add.self, taking: .latest) { add, listener in
      contexts.record(listener)
      if add.amount == 1 { try await listener.delay(for: .seconds(1)) }
    }
    let first = store.dispatchAsync(Add(amount: 1))
    await scene.clock.sleepers(atLeast: 1)
    #expect(contexts.values.map(\.cancellation) == [nil])
    #expect(contexts.values.map(\.isCancelled) == [false])
    await scene.settle(Add(amount: 2))
    await first.finished()
    #expect(contexts.values.map(\.cancellation) == [.listenerSuperseded, .listenerCompleted])
    #expect(contexts.values.map(\.isCancelled) == [true, true])
  }

  @Test("a run may cancel itself: its later waits throw, and no error is reported")
  func cancelSelf() async {
    let door = Door()
    listeners.start(of: Note.self) { [journal] _, listener in
      await door.pass()
      listener.cancel()
      journal.note("\(Task.isCancelled)")
      journal.note(await reason { try await listener.delay(for: .seconds(1)) })
      journal.note(await reason { try await listener.take(of: Other.self, timeout: .seconds(1)) })
      journal.note(await reason { try await listener.pause { journal.note("worked") } })
      try listener.checkCancellation()
      journal.note("went on")
    }
    let run = store.dispatchAsync(Note())
    door.open()
    await run.finished()
    #expect(journal.entries == ["true"] + Array(repeating: "the run canceled itself", count: 3))
    #expect(scene.failures.count == 0)
  }

  @Test("an effect can check for cancellation after waiting for something else")
  func check() async {
    let door = Door()
    let started = listeners.start(of: Note.self) { [journal] _, listener in
      try listener.checkCancellation()
      journal.note("started")
      await door.pass()
      do {
        try listener.checkCancellation()
        journal.note("completed")
      } catch { journal.note("\(error)") }
    }
    let task = store.dispatchAsync(Note())
    await journal.has("started")
    started.stop(cancellingActive: true)
    door.open()
    await task.finished()
    #expect(journal.entries == ["started", "canceled: the listener was stopped"])
  }

  @Test("the task of a canceled run is canceled, so that other waits end, too")
  func taskIsCancelled() async {
    let started = listeners.start(of: Note.self) { [journal, clock = scene.clock] _, listener in
      do { try await clock.sleep(for: .seconds(1)) } catch { journal.note("\(type(of: error))") }
      #expect(Task.isCancelled)
    }
    let task = store.dispatchAsync(Note())
    await scene.clock.sleepers(atLeast: 1)
    started.stop(cancellingActive: true)
    await task.finished()
    #expect(journal.entries == ["CancellationError"])
  }

  @Test("work that an effect left running ends when the effect completes")
  func leftBehind() async {
    let door = Door()
    listeners.start(of: Note.self) { [journal] _, listener in
      Task { journal.note("take: " + (await reason { try await listener.take(of: Other.self) })) }
      Task { journal.note("delay: " + (await reason { try await listener.delay(for: .seconds(1)) })) }
      Task { journal.note("pause: " + (await reason { try await listener.pause { await door.pass() } })) }
      await scene.clock.sleepers(atLeast: 1)
    }
    store.dispatch(Note())
    for wait in ["take", "delay", "pause"] {
      await journal.has("\(wait): the effect of the listener has completed")
    }
    #expect(journal.entries.count == 3)
    door.open()
  }

  @Test("canceling a dispatch cancels the runs that it caused, and no others")
  func dispatchCancelled() async {
    listeners.start(waiting())
    let first = store.dispatchAsync(Note())
    let second = store.dispatchAsync(Note())
    await journal.has("waiting", times: 2)
    first.cancel()
    await first.finished()
    #expect(journal.entries.last == "the dispatch that started the work was canceled")
    #expect(second.isRunning)
    store.dispatch(Other())
    await second.finished()
    #expect(journal.entries.last == "returned")
  }
}
