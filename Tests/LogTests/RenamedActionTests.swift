import FluxAsync
import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

private typealias Votes = LogGuideTests.Votes
private typealias Vote = LogGuideTests.Vote

private let oldActions = ActionRegistry(Vote.self)

struct Ballot: Codable, Action {
  let film: Int
  let weight: Int
}

struct Withdrawal: Codable, Action {
  let film: Int
}

extension Ballot {
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    film = try values.decode(Int.self, forKey: .film)
    weight = try values.decodeIfPresent(Int.self, forKey: .weight) ?? 1
  }
}

private func oldReducer(_ votes: inout Votes, _ action: any Action) {
  if let vote = action as? Vote { votes.counts[vote.film, default: 0] += 1 }
}

private func newReducer(_ votes: inout Votes, _ action: any Action) {
  switch action {
  case let ballot as Ballot: votes.counts[ballot.film, default: 0] += ballot.weight
  case let withdrawal as Withdrawal: votes.counts[withdrawal.film] = nil
  default: break
  }
}

@Suite("Actions of an earlier version, which have another name and another form", .unlessItHangs)
struct RenamedActionTests {
  private struct App: FluxState {
    var votes = Replica(Votes())
  }

  private let newActions: ActionRegistry

  init() {
    var actions = ActionRegistry(Withdrawal.self)
    actions.register(Ballot.self, formerly: "Vote")
    newActions = actions
  }

  private func sync(
    _ outbox: some ActionLog, with server: any ReplicaTransport, _ actions: ActionRegistry,
    by reducer: @escaping MutatingReducer<Votes>,
    onProblem: @escaping @Sendable (ReplicaError) -> Void = { Issue.record($0) }
  ) async throws -> (ReplicaSync<App, Votes>, Store<App>) {
    let sync = try await ReplicaSync(
      of: \App.votes, actions: actions, in: outbox, with: server, startingWith: Votes(),
      backoff: .constant(.zero), onProblem: onProblem, reducer: reducer)
    return (sync, Store(reducer: { _, _ in }, plugins: [sync.plugin], state: sync.restored(App())))
  }

  private func server(
    _ log: some ActionLog, _ actions: ActionRegistry, by reducer: @escaping MutatingReducer<Votes>
  ) async throws -> ReplicaServer<Votes> {
    try await ReplicaServer(on: log, actions: actions, startingWith: Votes(), reducer: reducer)
  }

  @Test("the pending actions of an outbox are shown, sent, and confirmed by the next version")
  func outbox() async throws {
    let outbox = MemoryLog()
    let server = try await server(MemoryLog(), newActions, by: newReducer)
    do {
      let offline = TestConnection(to: server, isOpen: false)
      let (sync, store) = try await sync(outbox, with: offline, oldActions, by: oldReducer)
      for _ in 0..<2 { store.dispatch(Vote(film: 7)) }
      await sync.written()
    }
    let (sync, store) = try await sync(outbox, with: server, newActions, by: newReducer)
    #expect(store.state.votes.shown == Votes(counts: [7: 2]))
    store.dispatch(Ballot(film: 9, weight: 3))
    await sync.confirmed()
    #expect(store.state.votes.confirmed == Votes(counts: [7: 2, 9: 3]))
    #expect(server.state == Votes(counts: [7: 2, 9: 3]))
  }

  @Test("the log of a server is reduced by the next version, and sent to clients of that version")
  func server() async throws {
    let log = MemoryLog()
    do {
      let server = try await server(log, oldActions, by: oldReducer)
      let (sync, store) = try await sync(MemoryLog(), with: server, oldActions, by: oldReducer)
      for film in [7, 7, 9] { store.dispatch(Vote(film: film)) }
      await sync.confirmed()
    }
    let server = try await server(log, newActions, by: newReducer)
    #expect(server.state == Votes(counts: [7: 2, 9: 1]))
    let (_, store) = try await sync(MemoryLog(), with: server, newActions, by: newReducer)
    for await votes in store.values(of: \.votes.shown) where votes == server.state { break }
  }

  @Test("a client of an earlier version, which sends an action, is understood by the server")
  func earlierClient() async throws {
    let server = try await server(MemoryLog(), newActions, by: newReducer)
    let action = EncodedAction(name: "Vote", json: #"{"film":7}"#)
    #expect(try await server.push(PushedActions(from: ClientID("old"), firstNumber: 1, [action])) == 1)
    #expect(server.state == Votes(counts: [7: 1]))
  }

  @Test("a client of an earlier version stops at a new action, and continues as the next version")
  func earlierClientStops() async throws {
    let outbox = MemoryLog()
    let server = try await server(MemoryLog(), newActions, by: newReducer)
    let ballot = EncodedAction(name: "Ballot", json: #"{"film":9,"weight":3}"#)
    _ = try await server.push(PushedActions(from: ClientID("new"), firstNumber: 1, [ballot]))
    do {
      let (problems, report) = AsyncStream.makeStream(of: ReplicaError.self)
      let (sync, store) = try await sync(outbox, with: server, oldActions, by: oldReducer) {
        report.yield($0)
      }
      store.dispatch(Vote(film: 7))
      await sync.written()
      for await problem in problems {
        #expect(problem.code == .undecodable)
        break
      }
      #expect(store.state.votes.confirmed == Votes())
      #expect(store.state.votes.shown == Votes(counts: [7: 1]))
    }
    let (sync, store) = try await sync(outbox, with: server, newActions, by: newReducer)
    await sync.confirmed()
    #expect(store.state.votes.confirmed == Votes(counts: [7: 1, 9: 3]))
  }

  @Test("a crash of an earlier version is replayed by the next version")
  func journal() throws {
    let folder = JournalTestFolder()
    let store = Store(
      reducer: oldReducer, plugins: [try .journal(in: folder.url, actions: oldActions)], state: Votes())
    for film in [7, 9, 7] { store.dispatch(Vote(film: film)) }
    let report = try #require(try folder.copy().report())
    let votes: Votes = try report.replay(into: newReducer, with: newActions)
    #expect(votes == Votes(counts: [7: 2, 9: 1]))
  }

  @Test("the history of an earlier version is undone and redone by the next version")
  func history() async throws {
    let log = MemoryLog()
    let (old, oldState) = try await LoggedHistory.open(
      History<Votes>(), in: log, with: oldActions, initial: Votes(), reducer: oldReducer)
    do {
      let store = Store(reducer: oldReducer, plugins: [old.plugin], state: oldState)
      for film in [7, 7, 9] { store.dispatch(Vote(film: film)) }
      store.dispatch(HistoryAction.undo)
      try await old.flushed()
    }
    let (new, newState) = try await LoggedHistory.open(
      History<Votes>(), in: log, with: newActions, initial: Votes(), reducer: newReducer)
    let store = Store(reducer: newReducer, plugins: [new.plugin], state: newState)
    #expect(store.state == Votes(counts: [7: 2]))
    store.dispatch(HistoryAction.redo)
    #expect(store.state == Votes(counts: [7: 2, 9: 1]))
    for _ in 0..<3 { store.dispatch(HistoryAction.undo) }
    #expect(store.state == Votes())
    store.dispatch(HistoryAction.redo)
    store.dispatch(Ballot(film: 7, weight: 5))
    #expect(store.state == Votes(counts: [7: 6]))
    try await new.flushed()
  }
}
