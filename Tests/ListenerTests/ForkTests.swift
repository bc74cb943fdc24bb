import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Forked tasks", .unlessItHangs)
struct ForkTests {
  private let scene = Scene()
  private var clock: ManualClock { scene.clock }
  private var store: Store<Count> { scene.store }
  private var journal: Journal { scene.journal }

  /// Runs an effect for one `Note`, and returns the dispatch that a test waits for.
  private func run(
    _ effect: @escaping @Sendable (ListenerContext<Count>) async throws -> Void
  ) -> DispatchTask {
    scene.listeners.start(of: Note.self) { _, listener in try await effect(listener) }
    return store.dispatchAsync(Note())
  }

  @Test("a fork runs concurrently with the effect, which does not wait for it")
  func beside() async {
    let door = Door()
    await run { [journal] listener in
      let task = listener.fork { _ in
        await door.pass()
        journal.note("forked")
      }
      journal.note("effect")
      door.open()
      _ = try await task.result
    }.finished()
    #expect(journal.entries == ["effect", "forked"])
  }

  enum Body: CaseIterable {
    case returns, throwsAnError, waitsAndReturns, waitsAndThrows, pauseReturns, pauseThrows, delayReturns
    case delayThrows

    func run(_ task: ForkContext, _ door: Door) async throws -> Int {
      switch self {
      case .returns: return 42
      case .throwsAnError: throw Trouble(text: "2020")
      case .waitsAndReturns:
        await door.pass()
        return 21
      case .waitsAndThrows:
        await door.pass()
        throw Trouble(text: "2020")
      case .pauseReturns: return try await task.pause { 2 }
      case .pauseThrows: return try await task.pause { throw Trouble(text: "22") }
      case .delayReturns:
        try await task.delay(for: .seconds(10))
        return 5
      case .delayThrows:
        try await task.delay(for: .seconds(10))
        throw Trouble(text: "late")
      }
    }

    var expected: String {
      switch self {
      case .returns: "ok 42"
      case .throwsAnError, .waitsAndThrows: "rejected Trouble(text: \"2020\")"
      case .waitsAndReturns: "ok 21"
      case .pauseReturns: "ok 2"
      case .pauseThrows: "rejected Trouble(text: \"22\")"
      case .delayReturns: "ok 5"
      case .delayThrows: "rejected Trouble(text: \"late\")"
      }
    }
  }

  @Test("the result contains the value or the error of the body", arguments: Body.allCases)
  func result(_ body: Body) async {
    let door = Door()
    let task = run { [journal] listener in
      let forked = listener.fork { task in try await body.run(task, door) }
      journal.note(await outcome(forked))
      journal.note(await outcome(forked))
    }
    door.open()
    if body == .delayReturns || body == .delayThrows {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(10))
    }
    await task.finished()
    #expect(journal.entries == [body.expected, body.expected])
    #expect(scene.failures.count == 0)
  }

  @Test("the value is the body's returned value, or throws its error")
  func value() async {
    await run { [journal] listener in
      journal.note("\(try await listener.fork { _ in 42 }.value)")
      journal.note(await reason { _ = try await listener.fork { _ in throw Trouble(text: "x") }.value })
    }.finished()
    #expect(journal.entries == ["42", "Trouble(text: \"x\")"])
  }

  @Test("a fork of a canceled run is not run")
  func forkOfCancelled() async {
    await run { [journal] listener in
      listener.cancel()
      let task = listener.fork { _ in journal.note("forked") }
      journal.note(await outcome(task))
    }.finished()
    #expect(journal.entries == ["threw: the run canceled itself"])
  }

  @Test("canceling a finished task does nothing")
  func cancelLate() async {
    await run { [journal] listener in
      let task = listener.fork { _ in 42 }
      _ = try await task.result
      task.cancel()
      journal.note(await outcome(task))
    }.finished()
    #expect(journal.entries == ["ok 42"])
  }

  @Test("a canceled task is canceled even if it returns a value")
  func returnsAllTheSame() async {
    await run { [journal] listener in
      let door = Door()
      let task = listener.fork { _ in
        await door.pass()
        return 42
      }
      task.cancel()
      door.open()
      journal.note(await outcome(task))
    }.finished()
    #expect(journal.entries == ["cancelled: the forked task was canceled"])
  }

  enum Wait: CaseIterable { case delay, pause, other }

  @Test("the waits of a canceled task throw immediately", arguments: Wait.allCases)
  func cancelled(_ wait: Wait) async {
    let door = Door()
    let task = run { [clock] listener in
      let task = listener.fork { task in
        switch wait {
        case .delay: try await task.delay(for: .seconds(100))
        case .pause:
          try await task.pause {
            journal.note("pausing")
            await door.pass()
          }
        case .other: try await clock.sleep(for: .seconds(100))
        }
        journal.note("went on")
      }
      if wait == .pause { await journal.has("pausing") } else { await clock.sleepers(atLeast: 1) }
      task.cancel()
      journal.note(await outcome(task))
    }
    await journal.has("cancelled: the forked task was canceled")
    door.open()
    await task.finished()
    #expect(journal.count(of: "went on") == 0)
  }

  @Test(
    "a task and its waiting callers are notified immediately when the run is canceled",
    arguments: [Wait.delay, .pause])
  func runCancelled(_ wait: Wait) async {
    let door = Door()
    scene.listeners.start(of: Note.self, taking: .latest) { [journal] note, listener in
      guard note.text == "first" else { return }
      let task = listener.fork { task in
        journal.note(
          "inside: "
            + (await reason {
              switch wait {
              case .delay: try await task.delay(for: .seconds(100))
              default: try await task.pause { await door.pass() }
              }
            }))
      }
      journal.note("waiting")
      journal.note("outside: " + (await outcome(task)))
    }
    let first = store.dispatchAsync(Note(text: "first"))
    await journal.has("waiting")
    await scene.settle(Note(text: "second"))
    await journal.has("outside: threw: a later run of the listener replaced this run")
    door.open()
    await first.finished()
    // If the run was canceled before the task began, the task was not run.
    let inside = "inside: a later run of the listener replaced this run"
    #expect(Set(journal.entries).subtracting([inside]).count == 2)
  }

  @Test("a pause of a forked task throws immediately when the listeners are cleared")
  func pauseOfClearedRun() async {
    let door = Door()
    let task = run { [journal] listener in
      let task = listener.fork { task in
        let reason = await reason {
          try await task.pause {
            journal.note("pausing")
            await door.pass()
          }
        }
        journal.note("inside: \(reason)")
      }
      _ = await outcome(task)
    }
    await journal.has("pausing")
    scene.listeners.clear()
    await journal.has("inside: the listener was stopped")
    door.open()
    await task.finished()
    #expect(journal.entries == ["pausing", "inside: the listener was stopped"])
  }

  @Test("only the newest of several runs continues after its fork")
  func pauseOfSuperseded() async {
    scene.listeners.start(of: Add.self) { add, listener in
      listener.cancelActiveListeners()
      if add.amount > 1 {
        _ = try await listener.fork { task in
          try await task.delay(for: .seconds(10))
          listener.dispatch(Note(text: "\(add.amount)"))
        }.result
        listener.dispatch(Note(text: "\(2 * add.amount)"))
      }
    }
    scene.listeners.start(of: Note.self) { [journal] note, _ in journal.note(note.text) }
    let first = store.dispatchAsync(Add(amount: 10))
    await clock.sleepers(atLeast: 1)
    let second = store.dispatchAsync(Add(amount: 100))
    await first.finished()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await second.finished()
    #expect(journal.entries.sorted() == ["100", "200"])
  }

  @Test(
    "a fork ends with its effect, unless it joins, or the run is canceled",
    arguments: [false, true], [false, true])
  func ends(autoJoin: Bool, isCancelled: Bool) async {
    let contexts = Recorder<ForkContext>()
    let task = run { [journal] listener in
      listener.fork(autoJoin: autoJoin) { task in
        contexts.record(task)
        journal.note("forked")
        journal.note(await reason { try await task.delay(for: .seconds(10)) })
      }
      await journal.has("forked")
      if isCancelled { await clock.sleepers(atLeast: 1) }
      journal.note("effect")
      if isCancelled { try await listener.delay(for: .seconds(100)) }
    }
    await journal.has("effect")
    if isCancelled {
      await clock.sleepers(atLeast: 2)
      scene.listeners.clear()
    } else if autoJoin {
      await clock.sleepers(atLeast: 1)
      #expect(task.isRunning)
      clock.advance(by: .seconds(10))
    }
    await task.finished()
    let code: ListenerError.Code =
      isCancelled ? .listenerStopped : autoJoin ? .taskCompleted : .listenerCompleted
    #expect(contexts.values.map(\.cancellation) == [code])
    #expect(journal.entries == ["forked", "effect", code == .taskCompleted ? "returned" : "\(code)"])
  }

  @Test("a run that throws also waits for the forks that join")
  func joinAfterError() async {
    let task = run { [journal] listener in
      listener.fork(autoJoin: true) { task in
        try await task.delay(for: .seconds(10))
        journal.note("joined")
      }
      throw Trouble()
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await task.finished()
    #expect(journal.entries == ["joined"])
    #expect(scene.failures.count == 1)
  }

  @Test("work that a task left running ends when the task completes, and its run continues")
  func leftBehind() async {
    await run { [journal] listener in
      let task = listener.fork { task in
        Task { journal.note(await reason { try await task.delay(for: .seconds(10)) }) }
        return 4
      }
      journal.note(await outcome(task))
      await journal.has("the forked task has completed")
      try listener.checkCancellation()
      journal.note("went on")
    }.finished()
    #expect(journal.entries.sorted() == ["ok 4", "the forked task has completed", "went on"])
  }

  @Test("a wait for a finished task returns its result even after the run has ended")
  func resultAfterEnd() async {
    let tasks = Recorder<ForkedTask<Int>>()
    await run { listener in
      let task = listener.fork { _ in 42 }
      tasks.record(task)
      _ = try await task.result
    }.finished()
    for task in tasks.values { #expect(await outcome(task) == "ok 42") }
    #expect(tasks.count == 1)
  }
}
