import FluxCore
import FluxLog
import FluxMiddleware
import TestSupport
import Testing

@Suite("Lifetimes of captured values in logs", .unlessItHangs)
struct LogLifetimeTests {
  @Test("a MemoryLog keeps its closure until the log is released")
  func memoryLog() async throws {
    let tracker = LifetimeTracker()
    do {
      let object = tracker.make()
      let log = MemoryLog { _ in
        object.touch()
        return nil
      }
      try await log.append("a")
      #expect(tracker.alive == 1)
      withExtendedLifetime(log) {}
    }
    #expect(tracker.alive == 0)
  }

  @Test("a LoggedHistory keeps its closures until its store and the object are released")
  func loggedHistory() async throws {
    let (tracker, log) = (LifetimeTracker(), MemoryLog())
    let (released, signal) = AsyncStream.makeStream(of: Void.self)
    do {
      let object = tracker.make(onDeinit: { signal.finish() })
      let (logged, canvas) = try await LoggedHistory.open(
        Canvas.makeHistory(), in: log, with: Canvas.registry, initial: Canvas(),
        reducer: { canvas, action in
          object.touch()
          Canvas.reducer(&canvas, action)
        }, onProblem: { _ in object.touch() })
      let store = Store(reducer: Canvas.reducer, plugins: [logged.plugin], state: canvas)
      store.dispatch(Draw(2))
      try await logged.flushed()
      #expect(tracker.alive == 1)
      withExtendedLifetime((store, logged)) {}
    }
    // The task of the writer can end after the flush.
    for await _ in released {}
    #expect(tracker.alive == 0)
  }

  @Test("a ReplicaServer keeps its closures until the object is released")
  func replicaServer() async throws {
    let tracker = LifetimeTracker()
    let (released, signal) = AsyncStream.makeStream(of: Void.self)
    do {
      let object = tracker.make(onDeinit: { signal.finish() })
      let server = try await ReplicaServer(
        on: MemoryLog(), actions: noteActions, startingWith: Notes(),
        deciding: { _, _ in
          object.touch()
          return .accept
        },
        reducer: { notes, action in
          object.touch()
          reduceNotes(&notes, action)
        })
      let action = EncodedAction(name: "AddNote", json: #"{"text":"tea"}"#)
      #expect(try await server.push(PushedActions(from: ClientID("a"), firstNumber: 1, [action])) == 1)
      #expect(tracker.alive == 1)
      withExtendedLifetime(server) {}
    }
    // The task that appends can end after the answer.
    for await _ in released {}
    #expect(tracker.alive == 0)
  }

  @Test("a ReplicaSync keeps its closures until its store and the object are released")
  func replicaSync() async throws {
    let tracker = LifetimeTracker()
    let (released, signal) = AsyncStream.makeStream(of: Void.self)
    let server = try await NotesFixture().server()
    do {
      let object = tracker.make(onDeinit: { signal.finish() })
      let sync = try await ReplicaSync(
        of: \NotesApp.notes, actions: noteActions, in: MemoryLog(), with: server, startingWith: Notes(),
        onProblem: { _ in object.touch() },
        reducer: { notes, action in
          object.touch()
          reduceNotes(&notes, action)
        })
      let store = Store(reducer: reduceApp, plugins: [sync.plugin], state: sync.restored(NotesApp()))
      store.dispatch(AddNote(text: "tea"))
      await sync.confirmed()
      #expect(tracker.alive == 1)
      withExtendedLifetime((store, sync)) {}
    }
    // The tasks that write and receive end after the release.
    for await _ in released {}
    #expect(tracker.alive == 0)
  }
}
