import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Sources/FluxLog/FluxLog.docc/TheLog.md", .unlessItHangs)
struct LogGuideTests {
  struct Vote: Codable, Action {
    let film: Int
  }

  struct Votes: Codable, Equatable, FluxState {
    var counts: [Int: Int] = [:]
  }

  func votesReducer(_ votes: inout Votes, _ action: any Action) {
    if let vote = action as? Vote { votes.counts[vote.film, default: 0] += 1 }
  }

  func votes(in log: some ActionLog) async throws -> (votes: Votes, end: LogPosition) {
    let snapshot = try await log.snapshot()
    var votes = try snapshot.map { try JSONDecoder().decode(Votes.self, from: $0.data) } ?? Votes()
    var end = snapshot?.position ?? .start
    for entry in try await log.entries(from: end) {
      votesReducer(&votes, try JSONDecoder().decode(Vote.self, from: entry.data))
      end = entry.position.advanced(by: 1)
    }
    return (votes, end)
  }

  func add(_ vote: Vote, to log: some ActionLog) async throws -> LogPosition {
    let entry = try JSONEncoder().encode(vote)
    var end = try await log.end()
    while true {
      do throws(LogError) {
        return try await log.append([entry], at: end)
      } catch {
        guard error.code == .conflict, let newEnd = error.position else { throw error }
        end = newEnd
      }
    }
  }

  func catchUp(_ state: inout Votes, from end: inout LogPosition, in log: some ActionLog) async throws {
    do {
      for entry in try await log.entries(from: end) {
        votesReducer(&state, try JSONDecoder().decode(Vote.self, from: entry.data))
        end = entry.position.advanced(by: 1)
      }
    } catch let error as LogError where error.code == .truncated {
      (state, end) = try await votes(in: log)
    }
  }

  func cast(
    _ vote: Vote, on state: inout Votes, at end: inout LogPosition, in log: some ActionLog
  ) async throws -> Bool {
    let entry = try JSONEncoder().encode(vote)
    while state.counts[vote.film, default: 0] < 100 {
      do throws(LogError) {
        end = try await log.append([entry], at: end)
        votesReducer(&state, vote)
        return true
      } catch {
        guard error.code == .conflict else { throw error }
      }
      try await catchUp(&state, from: &end, in: log)
    }
    return false
  }

  @Test("its processes decide again after a conflict, also if the entries were removed")
  func manyServers() async throws {
    let log = MemoryLog()
    var (first, firstEnd) = (Votes(), LogPosition.start)
    var (second, secondEnd) = (first, firstEnd)
    for _ in 0..<99 { #expect(try await cast(Vote(film: 7), on: &first, at: &firstEnd, in: log)) }
    #expect(try await cast(Vote(film: 7), on: &second, at: &secondEnd, in: log))
    #expect(second == Votes(counts: [7: 100]))
    try await log.save(LogSnapshot(position: secondEnd, data: JSONEncoder().encode(second)))
    try await log.truncate(before: secondEnd)
    #expect(try await cast(Vote(film: 7), on: &first, at: &firstEnd, in: log) == false)
    #expect(first == second)
    #expect(try await log.end() == LogPosition(100))
  }

  @Test("its votes survive a restart, and the log removes entries that a snapshot contains")
  func files() async throws {
    let folder = TemporaryFolders.newLocation()
    try await fill(folder)
    let log = try FileLog(in: folder, segmentLimit: 1 << 20)
    for problem in log.problems { print(problem) }
    #expect(log.problems.isEmpty)
    #expect(try await votes(in: log).votes == Votes(counts: [7: 2, 9: 1]))
    #expect(try await log.snapshot()?.position == LogPosition(3))
    #expect(try await log.entries(from: LogPosition(3)).isEmpty)
  }

  private func fill(_ folder: URL) async throws {
    let log = try FileLog(in: folder, segmentLimit: 20)
    for film in [7, 9, 7] { _ = try await add(Vote(film: film), to: log) }
    if log.isFull {
      let (votes, end) = try await votes(in: log)
      try await log.save(LogSnapshot(position: end, data: JSONEncoder().encode(votes)))
      try await log.truncate(before: end)
    }
    await log.close()
  }

  struct AppState: FluxState {
    var votes = Replica(Votes())
  }

  func vote(in folder: URL, with server: any ReplicaTransport) async throws -> Replica<Votes> {
    let sync = try await ReplicaSync(
      of: \AppState.votes, actions: ActionRegistry(Vote.self), in: FileLog(in: folder), with: server,
      startingWith: Votes(), reducer: votesReducer)
    let store = Store(
      reducer: { _, _ in }, plugins: [sync.plugin], state: sync.restored(AppState()))
    store.dispatch(Vote(film: 7))
    await sync.written()
    return store.state.votes
  }

  func voteServer(on log: any ActionLog) async throws -> ReplicaServer<Votes> {
    try await ReplicaServer(
      on: log, actions: ActionRegistry(Vote.self), startingWith: Votes(),
      deciding: { votes, action in
        votes.counts.values.reduce(0, +) < 100 ? .accept : .refuse("The vote has ended.")
      }, reducer: votesReducer)
  }

  @Test("its replica shows a vote, and its server receives the vote after a restart of the client")
  func replica() async throws {
    let folder = TemporaryFolders.newLocation()
    let server = try await voteServer(on: MemoryLog())
    let offline = TestConnection(to: server, isOpen: false)
    #expect(try await vote(in: folder, with: offline).shown.counts == [7: 1])
    let online = TestConnection(to: server)
    var replica: Replica<Votes>?
    repeat {
      do {
        replica = try await vote(in: folder, with: online)
      } catch let error as LogError where error.code == .inUse {
        // The first client has not closed its files yet.
        await Task.yield()
      }
    } while replica == nil
    #expect(replica?.shown.counts == [7: 2])
  }

  @Test("its reader follows the votes of a writer")
  func following() async throws {
    let log = MemoryLog()
    _ = try await add(Vote(film: 7), to: log)
    var (votes, end) = try await votes(in: log)
    let writer = Task { for _ in 0..<5 { _ = try await add(Vote(film: 7), to: log) } }
    for try await entry in log.following(from: end) {
      votesReducer(&votes, try JSONDecoder().decode(Vote.self, from: entry.data))
      if votes.counts[7] == 3 { break }
    }
    try await writer.value
    #expect(votes.counts == [7: 3])
    end = try await log.end()
    #expect(end == LogPosition(6))
  }

  func openStore(_ log: some ActionLog) async throws -> (Store<Votes>, LoggedHistory<Votes>) {
    let history = History<Votes>(limit: 200)
    let (logged, votes) = try await LoggedHistory.open(
      history, in: log, with: ActionRegistry(Vote.self), initial: Votes(), reducer: votesReducer)
    return (Store(reducer: votesReducer, plugins: [logged.plugin], state: votes), logged)
  }

  @Test("its votes are undone, and redone after a restart")
  func undo() async throws {
    let log = MemoryLog()
    try await vote(log)
    let (store, logged) = try await openStore(log)
    store.dispatch(HistoryAction.redo)
    #expect(store.state == Votes(counts: [7: 1, 9: 1]))
    for _ in 0..<2 { store.dispatch(HistoryAction.undo) }
    #expect(store.state == Votes())
    try await logged.flushed()
  }

  private func vote(_ log: some ActionLog) async throws {
    let (store, logged) = try await openStore(log)
    store.dispatch(Vote(film: 7))
    store.dispatch(Vote(film: 9))
    store.dispatch(HistoryAction.undo)
    try await logged.flushed()
  }

  @Test("its planned failure loses an answer, and the log contains the vote")
  func failure() async throws {
    let log = MemoryLog { operation in
      if case .append(count: 1, at: LogPosition(1)) = operation { .losesAnswer } else { nil }
    }
    #expect(try await add(Vote(film: 7), to: log) == LogPosition(1))
    await #expect(throws: LogError.self) { _ = try await add(Vote(film: 8), to: log) }
    #expect(try await votes(in: log).votes == Votes(counts: [7: 1, 8: 1]))
  }

  @Test("its journal replays the votes before a crash, and prints them as a test")
  func journal() throws {
    let files = JournalTestFolder()
    var folder = files.url
    let registry = ActionRegistry(Vote.self)
    let store = try Store(
      reducer: votesReducer, plugins: [.journal(in: folder, actions: registry)], state: Votes())
    for film in [7, 9, 7] { store.dispatch(Vote(film: film)) }
    let crashed = try files.copy()
    folder = crashed.url
    #expect(try CrashReport.load(from: folder)?.entries.count == 3)
    guard let report = try CrashReport.load(from: folder) else { return }
    for entry in report.entries.suffix(5) { print(entry) }
    let votes: Votes = try report.replay(into: votesReducer, with: registry)
    let earlier: Votes = try report.replay(into: votesReducer, with: registry, upTo: 1)
    #expect(votes == store.state)
    #expect(earlier == Votes(counts: [7: 1]))
    let source = try report.testSource(reducer: "votesReducer", actions: "registry")
    try CrashReport.remove(from: folder)
    #expect(source.contains("votesReducer(&recordedState, action)"))
    #expect(try CrashReport.load(from: folder) == nil)
  }

  @Test("all its examples are in these tests")
  func examples() throws {
    try GuideExamples(of: "Sources/FluxLog/FluxLog.docc/TheLog.md")
      .expectTested(
        in: "Tests/LogTests/LogGuideTests.swift", "Tests/LogTests/RenamedActionTests.swift", atLeast: 20)
  }
}
