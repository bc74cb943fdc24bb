import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import JournalVictim

@Suite("A journal", .unlessItHangs)
struct JournalTests {
  private let folder = JournalTestFolder()

  private func makeStore(
    _ reducer: @escaping MutatingReducer<Account> = accountReducer, capacity: Int = 1 << 14,
    redacting redaction: Redaction = .none, onProblem: @escaping @Sendable (LogError) -> Void = { _ in }
  ) throws(LogError) -> Store<Account> {
    Store(
      reducer: reducer,
      plugins: [
        try .journal(
          in: folder.url, capacity: capacity, actions: accountActions, redacting: redaction,
          onProblem: onProblem)
      ], state: Account())
  }

  private func states(of deposits: Int) -> [Account] {
    (1...deposits).reduce(into: [Account()]) { states, number in
      var next = states[states.count - 1]
      accountReducer(&next, Deposit(amount: number))
      states.append(next)
    }
  }

  @Test("an action is in the file before its reducer runs")
  func writtenBefore() throws {
    let seen = Shared<[(CrashReport?, Int)]>([])
    let store = try makeStore { [folder] account, action in
      let report = try? folder.copy().report()
      seen.change { $0.append((report, account.count)) }
      accountReducer(&account, action)
    }
    store.dispatch(Deposit(amount: 1))
    store.dispatch(Split(by: 1))
    let reports = seen.value.map(\.0)
    #expect(reports.map { $0?.entries.count } == [1, 2])
    #expect(reports.map { $0?.interruptedEntry } == [0, 1])
    #expect(reports.last??.entries.last?.description == #"Split {"by":1}"#)
  }

  @Test("a replay returns the state at each step, also after the oldest actions were replaced")
  func steps() throws {
    let store = try makeStore(capacity: 4_096)
    for number in 1...200 { store.dispatch(Deposit(amount: number)) }
    let report = try #require(try folder.copy().report())
    #expect(report.problems.isEmpty)
    #expect(report.interruptedEntry == nil)
    #expect(20..<100 ~= report.entries.count)
    let expected = states(of: 200).suffix(report.entries.count + 1)
    for (step, state) in expected.enumerated() {
      let replayed: Account = try report.replay(into: accountReducer, with: accountActions, upTo: step)
      #expect(replayed == state)
    }
    let last: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(last == store.state)
    withExtendedLifetime(store) {}
  }

  @Test("the newest half of the capacity is always in the report")
  func half() throws {
    let store = try makeStore(capacity: 4_096)
    for number in 1...200 {
      store.dispatch(Deposit(amount: 1))
      let report = try #require(try folder.copy().report())
      #expect(report.entries.count >= min(number, 20))
    }
  }

  @Test("there is no report after the store was released, and the directory can be used again")
  func clean() throws {
    for _ in 0..<2 {
      let store = try makeStore()
      store.dispatch(Deposit(amount: 1))
      #expect(try folder.copy().report() != nil)
      #expect(try CrashReport.load(from: folder.url) == nil)
      withExtendedLifetime(store) {}
    }
    #expect(try CrashReport.load(from: folder.url) == nil)
  }

  @Test("there is no report of a program that has not created its store, or of a missing directory")
  func unused() throws {
    #expect(try CrashReport.load(from: folder.url) == nil)
    try CrashReport.remove(from: folder.url)
    let plugin = try Plugin<Account>.journal(in: folder.url, actions: accountActions)
    #expect(try folder.copy().report() == nil)
    withExtendedLifetime(plugin) {}
  }

  @Test("a report remains until it is removed, although the next program has started and ended")
  func remains() throws {
    let crashed = try crash()
    let report = try #require(try CrashReport.load(from: crashed.url))
    for _ in 0..<2 {
      let plugin = try Plugin<Account>.journal(in: crashed.url, actions: accountActions)
      #expect(try CrashReport.load(from: crashed.url)?.entries == report.entries)
      withExtendedLifetime(plugin) {}
    }
    #expect(try CrashReport.load(from: crashed.url)?.entries == report.entries)
    try CrashReport.remove(from: crashed.url)
    #expect(try CrashReport.load(from: crashed.url) == nil)
  }

  @Test("a report can be removed before the next journal begins")
  func removedFirst() throws {
    let crashed = try crash()
    #expect(try CrashReport.load(from: crashed.url) != nil)
    try CrashReport.remove(from: crashed.url)
    #expect(try CrashReport.load(from: crashed.url) == nil)
  }

  /// Returns a folder with the files of a crashed program.
  private func crash() throws -> JournalTestFolder {
    let store = try makeStore()
    store.dispatch(Deposit(amount: 1))
    return try folder.copy()
  }

  @Test("an action that is not registered stops a replay, and its type is reported once")
  func unregistered() async throws {
    let (problems, received) = AsyncStream<LogError>.makeStream()
    let store = try makeStore(onProblem: { received.yield($0) })
    store.dispatch(Deposit(amount: 1))
    store.dispatch(Audit())
    store.dispatch(Audit())
    store.dispatch(Deposit(amount: 2))
    store.dispatch(EmptyAction())
    let report = try #require(try folder.copy().report())
    #expect(report.entries.map(\.name) == ["Deposit", "Audit", "Audit", "Deposit", "EmptyAction"])
    #expect(report.entries[1].description == "Audit (not registered)")
    let first: Account = try report.replay(into: accountReducer, with: accountActions, upTo: 1)
    #expect(first.balance == 1)
    let error = #expect(throws: LogError.self) {
      let _: Account = try report.replay(into: accountReducer, with: accountActions)
    }
    #expect(error?.code == .notRecorded)
    #expect(error?.position == LogPosition(1))
    #expect(throws: LogError.self) { try report.testSource() }
    var messages: Set<String> = []
    for await problem in problems.prefix(2) { messages.insert(problem.message) }
    #expect(messages.count == 2 && messages.allSatisfy { $0.contains("is not registered") })
  }

  @Test("a replay to a step after an action that is not registered begins at a later snapshot")
  func laterSnapshot() throws {
    let store = try makeStore(capacity: 4_096)
    store.dispatch(Audit())
    var report = try #require(try folder.copy().report())
    #expect(throws: LogError.self) {
      let _: Account = try report.replay(into: accountReducer, with: accountActions)
    }
    while report.entries.count < 40 {
      store.dispatch(Deposit(amount: 1))
      report = try #require(try folder.copy().report())
    }
    #expect(report.entries.first?.json == nil)
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state == store.state)
  }

  @Test("an action whose encoding fails is recorded without contents, and so is a state")
  func unencodable() throws {
    let folder = JournalTestFolder()
    let store = Store(
      reducer: { (count: inout Odd, _: any Action) in count.number += 1 },
      plugins: [
        try .journal(in: folder.url, actions: ActionRegistry(OddAction.self), onProblem: { _ in })
      ],
      state: Odd())
    store.dispatch(OddAction())
    let report = try #require(try folder.copy().report())
    #expect(report.entries.map(\.description) == ["OddAction (not encodable)"])
    let error = #expect(throws: LogError.self) {
      let _: Odd = try report.replay(into: { _, _ in }, with: ActionRegistry(), upTo: 0)
    }
    #expect(error?.code == .notRecorded)
  }

  private struct Odd: FluxState, Codable {
    var number = 0

    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func encode(to encoder: any Encoder) throws { throw CancellationError() }
  }

  private struct OddAction: Action, Codable {
    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func encode(to encoder: any Encoder) throws { throw CancellationError() }
  }

  @Test("the file contains no secret")
  func redaction() throws {
    let store = try makeStore(redacting: .fields("pin", "note"))
    store.dispatch(Deposit(amount: 5, note: "for the spy"))
    let copy = try folder.copy()
    let bytes = try #require(try FileStorage(directory: copy.url).read("journal"))
    #expect(bytes.firstRange(of: Data("4711")) == nil)
    #expect(bytes.firstRange(of: Data("spy")) == nil)
    let report = try #require(try copy.report())
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state.balance == 5)
    #expect(state.pin == Redaction.mark)
    withExtendedLifetime(store) {}
  }

  @Test("a journal of a part of the state replays the part")
  func lifted() throws {
    struct Whole: FluxState { var account = Account() }
    let folder = JournalTestFolder()
    let store = Store(
      reducer: { (whole: inout Whole, action: any Action) in accountReducer(&whole.account, action) },
      plugins: [lift(try .journal(in: folder.url, actions: accountActions), to: \.account)],
      state: Whole())
    for number in 1...3 { store.dispatch(Deposit(amount: number)) }
    let report = try #require(try folder.copy().report())
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state == store.state.account)
  }
}
