import FluxAsync
import FluxCore
import FluxLog
import TestSupport

/// Servers, connections, and stores of notes, whose problems are recorded.
struct NotesFixture {
  let problems = Recorder<ReplicaError>()
  private let stream = AsyncStream.makeStream(of: ReplicaError.self)

  /// Returns a server that refuses a note that exists already, and replaces temporary ids.
  func server(on log: any ActionLog = MemoryLog()) async throws -> ReplicaServer<Notes> {
    try await ReplicaServer(
      on: log, actions: noteActions, startingWith: Notes(),
      deciding: { notes, action in
        guard let action = action as? AddNote else { return .accept }
        if notes.texts.contains(action.text) { return .refuse("\(action.text) exists") }
        guard action.text.hasPrefix("temporary ") else { return .accept }
        let text = "\(notes.texts.count): \(action.text.dropFirst(10))"
        return .change(AddNote(text: text), ids: [action.text: text])
      }, reducer: reduceNotes)
  }

  func sync(
    _ name: String, with server: any ReplicaTransport, in outbox: any ActionLog = MemoryLog(),
    backoff: Backoff = .constant(.zero), reducer: @escaping MutatingReducer<Notes> = reduceNotes
  ) async throws(ReplicaError) -> ReplicaSync<NotesApp, Notes> {
    try await ReplicaSync(
      of: \NotesApp.notes, actions: noteActions, in: outbox, with: server, startingWith: Notes(),
      as: ClientID(name), backoff: backoff,
      onProblem: { [problems, stream] problem in
        problems.record(problem)
        stream.continuation.yield(problem)
      },
      reducer: reducer)
  }

  func store(_ sync: ReplicaSync<NotesApp, Notes>, after plugins: Plugin<NotesApp>...) -> Store<NotesApp> {
    Store(reducer: reduceApp, plugins: plugins + [sync.plugin], state: sync.restored(NotesApp()))
  }

  /// Waits until a store shows some texts.
  func shows(_ texts: [String], in store: Store<NotesApp>) async {
    for await shown in store.values(of: \.notes.shown.texts) where shown == texts { return }
  }

  /// Waits until a problem was reported, and returns its code.
  func problem() async -> ReplicaError.Code? {
    for await problem in stream.stream { return problem.code }
    return nil
  }

  /// Returns an empty outbox, and a sequence with an element for each removal of confirmed actions.
  func observedOutbox() -> (outbox: MemoryLog, removals: AsyncStream<LogPosition>) {
    let (removals, continuation) = AsyncStream.makeStream(of: LogPosition.self)
    let outbox = MemoryLog { operation in
      if case .truncate(let position) = operation { continuation.yield(position) }
      return nil
    }
    return (outbox, removals)
  }
}
