import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Listeners in the scenarios of sagas", .unlessItHangs)
struct ScenarioTests {
  private let scene = Scene()
  private var clock: ManualClock { scene.clock }
  private var listeners: Listeners<Count> { scene.listeners }
  private var store: Store<Count> { scene.store }
  private var journal: Journal { scene.journal }

  @Test("throttled: the first action starts work immediately, and no other does during the interval")
  func throttle() async {
    listeners.start(of: Note.self, taking: .leading) { [journal] note, listener in
      journal.note(note.text)
      try await listener.delay(for: .seconds(15))
    }
    for texts in [["a", "b", "c"], ["d", "e"]] {
      let tasks = texts.map { store.dispatchAsync(Note(text: $0)) }
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(15))
      for task in tasks { await task.finished() }
    }
    #expect(journal.entries == ["a", "d"])
  }

  @Test("debounced: only the last action starts work, after a quiet interval")
  func debounce() async {
    listeners.start(of: Note.self) { [journal] note, listener in
      listener.cancelActiveListeners()
      try await listener.delay(for: .seconds(15))
      journal.note(note.text)
    }
    let tasks = ["a", "b", "c"].map { store.dispatchAsync(Note(text: $0)) }
    for task in tasks.prefix(2) { await task.finished() }
    await clock.sleepers(atLeast: 1)
    #expect(journal.entries == [])
    clock.advance(by: .seconds(15))
    await tasks[2].finished()
    #expect(journal.entries == ["c"])
  }

  @Test("joined: an effect continues with the result of a forked task")
  func join() async {
    listeners.start(of: Note.self) { [journal] _, listener in
      let result = try await listener.fork { _ in
        // The run's own delay, in one of its tasks.
        try await listener.delay(for: .seconds(5))
        return 42
      }.result
      if case .ok(let value) = result { journal.note("\(value)") }
    }
    let task = store.dispatchAsync(Note())
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await task.finished()
    #expect(journal.entries == ["42"])
  }

  @Test("canceled: a forked task that waits by the run's own delay does not continue")
  func cancelFork() async {
    listeners.start(of: Note.self) { [journal, clock] _, listener in
      let task = listener.fork { _ in
        try await listener.delay(for: .seconds(15))
        journal.note("child")
      }
      await clock.sleepers(atLeast: 1)
      task.cancel()
      journal.note(await outcome(task))
    }
    await scene.settle(Note())
    #expect(journal.entries == ["cancelled: the forked task was canceled"])
  }

  @Test("one effect for several actions: one of them cancels the others, which catch or check it")
  func cancelled() async {
    let door = Door()
    listeners.start(of: [Add.self, Subtract.self, Note.self]) { [journal] action, listener in
      switch action {
      case is Add:
        do {
          try await listener.delay(for: .seconds(10))
        } catch let error as ListenerError where error.code == .listenerSuperseded {
          journal.note("caught")
        }
      case is Note:
        journal.note("waiting")
        await door.pass()
        if listener.isCancelled { journal.note("asked") }
      default: listener.cancelActiveListeners()
      }
    }
    let first = store.dispatchAsync(Add())
    await clock.sleepers(atLeast: 1)
    await scene.settle(Subtract())
    await first.finished()
    let second = store.dispatchAsync(Note())
    await journal.has("waiting")
    await scene.settle(Subtract())
    #expect(journal.entries == ["caught", "waiting"])
    door.open()
    await second.finished()
    #expect(journal.entries == ["caught", "waiting", "asked"])
  }

  struct StartPolling: Action {}
  struct StopPolling: Action {}

  @Test("polling: one action starts a loop that polls a server, and another stops the loop")
  func polling() async {
    let (messages, server) = AsyncStream.makeStream(of: String.self)
    listeners.start(of: StartPolling.self, taking: .leading) { [journal] _, listener in
      let polling = listener.fork { task in
        journal.note("polling")
        do {
          while true {
            let message = try await task.pause {
              var next = messages.makeAsyncIterator()
              return await next.next() ?? "none"
            }
            journal.note(message)
          }
        } catch let error as ListenerError {
          journal.note("\(error.code)")
        }
      }
      try await listener.take(of: StopPolling.self, doing: { journal.note("waiting") })
      polling.cancel()
      _ = try await polling.result
    }
    let task = store.dispatchAsync(StartPolling())
    await journal.has("polling")
    await journal.has("waiting")
    server.yield("a")
    await journal.has("a")
    server.yield("b")
    await journal.has("b")
    store.dispatch(StopPolling())
    await task.finished()
    server.yield("c")
    #expect(
      journal.entries.filter { $0 != "waiting" } == ["polling", "a", "b", "the forked task was canceled"])
  }

  @Test("request and reply: an effect dispatches a request, and waits for the reply of another listener")
  func requestAndReply() async {
    listeners.start(of: Add.self) { add, listener in listener.dispatch(Note(text: "\(2 * add.amount)")) }
    listeners.start(of: Other.self) { [journal] _, listener in
      let reply = try await listener.take(of: Note.self, doing: { listener.dispatch(Add(amount: 21)) }).action
      journal.note(reply.text)
    }
    await scene.settle(Other())
    #expect(journal.entries == ["42"])
  }

  @Test("search: the latest text wins, and a late answer is not shown")
  func search() async {
    let doors = ["fl": Door(), "flux": Door()]
    listeners.start(of: Note.self, taking: .latest) { [journal] note, listener in
      try await listener.delay(for: .milliseconds(300))
      journal.note("asked for \(note.text)")
      let found = try await listener.pause {
        await doors[note.text]?.pass()
        return note.text.count
      }
      listener.dispatch(Add(amount: found))
    }
    let first = store.dispatchAsync(Note(text: "fl"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    await journal.has("asked for fl")
    let second = store.dispatchAsync(Note(text: "flux"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    await journal.has("asked for flux")
    doors["flux"]?.open()
    await second.finished()
    doors["fl"]?.open()
    await first.finished()
    #expect(store.state.count == 4)
  }
}

// The cases of Redux Toolkit's listener tests that these tests omit, with the reasons. Where a
// case exists in another form, the reason names the form.
//
// - An extra argument for all effects: a closure captures its dependencies.
// - Dispatching the removal returns whether there was a listener, and dispatching the addition
//   returns a function that removes it: `dispatch` returns nothing. `stop(_:cancellingActive:)`
//   returns a result, and the listener's `id` is known before the listener is started.
// - Finding a listener by its effect and its matcher: functions have no identity. A `Listener` has
//   one, and the cases exist with it.
// - Reading the original state only synchronously: the state is a copy, and exists as long as the
//   run. A test checks that it is the same before and after a wait.
// - Errors before and after the first wait reach the handler in two ways in Redux Toolkit. Here
//   there is one way, which is tested with both.
// - An error handler that throws: the closure's type does not allow it.
// - A fork's body runs in the next microtask, synchronous or not: tasks run concurrently, and
//   `fork` only guarantees that it does not wait.
// - A fork that is canceled in the line after its start does not run: another thread may have
//   started it. Its result is tested in both cases. A fork that is canceled before its start is
//   tested not to run.
// - A synchronous body that is canceled before it ran: like the previous case. Cancellation after
//   it ran is tested.
// - A fork of a value that is not a function: the compiler refuses it.
// - Errors of a wait that no code awaits are not reported: errors of a task without a waiting
//   caller are dropped. Three tests check that such waits end: of a run, of a fork, and of a take.
// - Listening by the exact name of a type: the type itself is used.
// - Typed variants of the functions (four cases), and all tests of types: the compiler checks
//   types.
