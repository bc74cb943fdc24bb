import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Waiting in a listener", .unlessItHangs)
struct WaitingTests {
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

  // MARK: The state

  @Test("an effect reads the present state, and exactly the state before its action")
  func states() async {
    let task = run { [journal, store = store.proxy] listener in
      store.dispatch(Add())
      journal.note("\(listener.originalState.count), \(listener.state?.count ?? -1)")
      try await listener.delay(for: .seconds(1))
      store.dispatch(Add())
      journal.note("\(listener.originalState.count), \(listener.state?.count ?? -1)")
      journal.note("\(listener.store?.state?.count ?? -1)")
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await task.finished()
    #expect(journal.entries == ["0, 1", "0, 2", "2"])
  }

  @Test("the state before an action is exact, however many threads dispatch")
  func exactStates() async {
    scene.listeners.start(when: { action, current, previous in
      (action as? Add).map { current.count != previous.count + $0.amount } ?? false
    }) { [journal] _, _ in journal.note("a predicate was told other states") }
    let seen = Shared<Set<Int>>([])
    scene.listeners.start(of: Add.self) { add, listener in
      seen.change { _ = $0.insert(listener.originalState.count) }
    }
    let tasks = Recorder<DispatchTask>()
    onThreads(4) { [store] _ in for _ in 0..<50 { tasks.record(store.dispatchAsync(Add())) } }
    for task in tasks.values { await task.finished() }
    #expect(seen.value == Set(0..<200))
    #expect(journal.entries == [])
  }

  @Test("an action that an effect dispatches passes through the whole chain")
  func dispatches() async {
    let passed = Recorder<String>()
    let chained = Listeners<Count>()
    let store = Store<Count>(
      reducer: { (state: inout Count, action: any Action) in if action is Add { state.count += 1 } },
      middleware: [
        { _, _ in
          { next in
            { action in
              passed.record("\(type(of: action))")
              next(action)
            }
          }
        }
      ], plugins: [chained.plugin], state: Count())
    chained.start(of: Note.self) { _, listener in listener.dispatch(Add()) }
    await store.dispatchAsync(Note()).finished()
    #expect(passed.values == ["Note", "Add"])
    #expect(store.state.count == 1)
  }

  // MARK: Taking

  @Test("a take returns the next action of its type, and the states after and before it")
  func take() async {
    let task = run { [journal] listener in
      let (add, current, previous) = try await listener.take(of: Add.self, doing: { journal.note("waiting") })
      journal.note("\(add.amount): \(current.count) after \(previous.count)")
    }
    await journal.has("waiting")
    for action in [Subtract(), Other(), Add(amount: 5), Add(amount: 7)] as [any Action] {
      store.dispatch(action)
    }
    await task.finished()
    #expect(journal.entries == ["waiting", "5: 4 after -1"])
  }

  @Test("a take does not miss an action that is dispatched after it begins")
  func takeDoing() async {
    await run { [journal] listener in
      let (add, _, _) = try await listener.take(of: Add.self, doing: { listener.dispatch(Add(amount: 3)) })
      journal.note("\(add.amount)")
    }.finished()
    #expect(journal.entries == ["3"])
  }

  @Test("a take by a predicate returns the first action that the predicate accepts")
  func takeWhen() async {
    await run { [journal] listener in
      let (action, current, previous) = try await listener.take(doing: {
        for _ in 1...3 { listener.dispatch(Add()) }
      }) { _, current, _ in current.count == 2 }
      journal.note("\(action) \(current.count) after \(previous.count)")
    }.finished()
    #expect(journal.entries == ["Add(amount: 1) 2 after 1"])
  }

  @Test("a take returns no action after its timeout")
  func takeTimeout() async {
    let task = run { [journal] listener in
      let typed = try await listener.take(of: Add.self, timeout: .seconds(15))
      let picked = try await listener.take(timeout: .seconds(15)) { action, _, _ in action is Add }
      journal.note("\(typed == nil) \(picked == nil)")
    }
    for _ in 1...2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(15))
    }
    await task.finished()
    #expect(journal.entries == ["true true"])
  }

  @Test("a take with a timeout returns the action if it arrives in time")
  func takeWithinTimeout() async {
    let task = run { [journal] listener in
      let before = listener.state
      let taken = try await listener.take(of: Add.self, timeout: .seconds(50))
      journal.note("\(taken.map { $0.current == listener.state && $0.previous == before } == true)")
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(49))
    store.dispatch(Add())
    await task.finished()
    #expect(journal.entries == ["true"])
    #expect(clock.sleepers == 0)
  }

  @Test("a timeout of nil means no timeout")
  func optionalTimeout() async {
    let task = run { [journal] listener in
      var timeout: Duration?
      let first = try await listener.take(of: Add.self, timeout: timeout, doing: { listener.dispatch(Add()) })
      timeout = .seconds(1)
      let second = try await listener.take(of: Add.self, timeout: timeout)
      journal.note("\(first?.current.count ?? -1), \(second?.current.count ?? -1)")
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await task.finished()
    #expect(journal.entries == ["1, -1"])
  }

  @Test("a condition returns true when an action makes it true")
  func condition() async {
    let task = run { [journal] listener in
      let result = try await listener.condition(doing: { journal.note("waiting") }) { _, current, _ in
        current.count == 3
      }
      journal.note("\(result) \(listener.state?.count ?? -1)")
    }
    await journal.has("waiting")
    for _ in 1...2 { store.dispatch(Add()) }
    #expect(task.isRunning)
    store.dispatch(Add())
    await task.finished()
    #expect(journal.entries == ["waiting", "true 3"])
  }

  @Test("a condition returns false if it times out first")
  func conditionTimeout() async {
    let task = run { [journal] listener in
      let result = try await listener.condition(timeout: .seconds(25)) { _, current, _ in current.count == 3 }
      journal.note("\(result) \(listener.state?.count ?? -1)")
    }
    await clock.sleepers(atLeast: 1)
    for _ in 1...2 { store.dispatch(Add()) }
    clock.advance(by: .seconds(25))
    await task.finished()
    store.dispatch(Add())
    #expect(journal.entries == ["false 2"])
  }

  @Test("a condition is not tested with the present state, only with actions")
  func conditionOfNow() async {
    store.dispatch(Add(amount: 3))
    let task = run { [journal] listener in
      journal.note(
        "\(try await listener.condition(timeout: .seconds(1)) { _, current, _ in current.count == 3 })")
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await task.finished()
    #expect(journal.entries == ["false"])
  }

  @Test("a finished wait does not call its predicate anymore")
  func forgotten() async {
    await run { [journal] listener in
      try await listener.take(doing: { listener.dispatch(Add()) }) { action, _, _ in
        journal.note("asked for \(type(of: action))")
        return true
      }
    }.finished()
    store.dispatch(Other())
    #expect(journal.entries == ["asked for Add"])
  }

  @Test("several waits for one action all end with it, in the order in which they began")
  func severalWaits() async {
    let tasks = [
      run { [journal] listener in
        journal.note("waiting")
        let (add, _, _) = try await listener.take(of: Add.self, doing: { journal.note("waiting") })
        journal.note("\(add.amount)")
      }, store.dispatchAsync(Note()),
    ]
    await journal.has("waiting", times: 4)
    store.dispatch(Add(amount: 9))
    for task in tasks { await task.finished() }
    #expect(journal.entries.suffix(2) == ["9", "9"])
  }

  @Test("a wait in a task that is canceled separately throws, and the run continues")
  func ownCancellation() async {
    await run { [journal] listener in
      let child = Task { await reason { try await listener.take(of: Add.self) } }
      child.cancel()
      journal.note(await child.value)
      journal.note("\(listener.isCancelled)")
    }.finished()
    #expect(journal.entries == ["CancellationError()", "false"])
  }

  // MARK: Delays and pauses

  @Test("a delay ends when its time has passed, and not before")
  func delay() async {
    let task = run { [journal] listener in
      try await listener.delay(for: .seconds(10))
      journal.note("over")
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(9))
    #expect(journal.entries == [])
    clock.advance(by: .seconds(1))
    await task.finished()
    #expect(journal.entries == ["over"])
  }

  @Test("a canceled delay leaves no sleeping task")
  func delayCancelled() async {
    let task = run { [journal] listener in
      journal.note(await reason { try await listener.delay(for: .seconds(10)) })
    }
    await clock.sleepers(atLeast: 1)
    scene.listeners.clear()
    await task.finished()
    #expect(journal.entries == ["the listener was stopped"])
    #expect(clock.sleepers == 0)
  }

  @Test("a pause returns the value of the work, or throws its error")
  func pause() async {
    await run { [journal] listener in
      journal.note("\(try await listener.pause { 2 })")
      journal.note(await reason { try await listener.pause { throw Trouble(text: "x") } })
    }.finished()
    #expect(journal.entries == ["2", "Trouble(text: \"x\")"])
  }

  @Test("a pause throws as soon as the run is canceled, although the work continues")
  func pauseCancelled() async {
    let door = Door()
    let task = run { [journal] listener in
      journal.note(
        await reason {
          try await listener.pause {
            journal.note("working")
            await door.pass()
            journal.note("worked, cancelled: \(Task.isCancelled)")
          }
        })
    }
    await journal.has("working")
    scene.listeners.clear()
    await journal.has("the listener was stopped")
    #expect(task.isRunning)
    door.open()
    await task.finished()
    #expect(journal.entries == ["working", "the listener was stopped", "worked, cancelled: true"])
  }

  @Test("a clock that fails ends a delay and a wait with an error")
  func failingClock() async {
    struct BrokenClock: Clock {
      let base = ManualClock()
      var now: ManualClock.Instant { base.now }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw Trouble() }
    }
    let listeners = Listeners<Count>(clock: BrokenClock())
    let store = makeStore(plugins: [listeners.plugin])
    listeners.start(of: Note.self) { [journal] _, listener in
      journal.note(await reason { try await listener.delay(for: .seconds(1)) })
      journal.note(await reason { try await listener.take(of: Add.self, timeout: .seconds(1)) })
    }
    await store.dispatchAsync(Note()).finished()
    #expect(journal.entries == ["Trouble(text: \"\")", "Trouble(text: \"\")"])
  }
}
