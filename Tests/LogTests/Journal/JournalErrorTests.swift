import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog
@testable import JournalVictim

@Suite("Errors of a journal", .unlessItHangs)
struct JournalErrorTests {
  private let folder = JournalTestFolder()

  private func code(of error: LogError?) -> LogError.Code? { error?.code }

  private func makePlugin(capacity: Int = 1 << 14) throws(LogError) -> Plugin<Account> {
    try .journal(in: folder.url, capacity: capacity, actions: accountActions)
  }

  @Test("a directory that a journal uses cannot be used by another one")
  func inUse() throws {
    let plugin = try makePlugin()
    let error = #expect(throws: LogError.self) { _ = try makePlugin() }
    #expect(error?.code == .inUse)
    #expect(error?.message.contains("journal") == true)
    withExtendedLifetime(plugin) {}
  }

  @Test("a capacity for which the disk has no room is an error, and leaves no file")
  func full() throws {
    let error = #expect(throws: LogError.self) { _ = try makePlugin(capacity: .max) }
    #expect(error?.code == .unwritable)
    #expect(error?.message.contains("allocate /") == true)
    #expect(try FileStorage(directory: folder.url).names() == ["lock"])
    _ = try makePlugin()
  }

  @Test("the disk has room for the whole file before the first action")
  func allocated() throws {
    let plugin = try makePlugin(capacity: 1 << 20)
    var status = stat()
    #expect(stat(folder.url.appending(path: "journal").path, &status) == 0)
    #expect(Int(status.st_blocks) * 512 >= 1 << 20)
    withExtendedLifetime(plugin) {}
  }

  @Test("a directory that cannot be created is an error")
  func unwritable() throws {
    try Data().write(to: folder.url)
    let error = #expect(throws: LogError.self) { _ = try makePlugin() }
    #expect(error?.code == .unwritable)
  }

  @Test("a file that cannot be read is an error")
  func unreadable() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "journal"), withIntermediateDirectories: true)
    #expect(code(of: #expect(throws: LogError.self) { _ = try makePlugin() }) == .unreadable)
  }

  @Test("any capacity below the minimum is the minimum", arguments: [Int.min, -1, 0, 1, 2_111])
  func small(capacity: Int) throws {
    let store = Store(
      reducer: accountReducer, plugins: [try makePlugin(capacity: capacity)], state: Account())
    for number in 1...100 { store.dispatch(Deposit(amount: number)) }
    let report = try #require(try folder.copy().report())
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state == store.state)
  }

  @Test("a damaged file is kept under another name, and the error or the problem names it")
  func damaged() throws {
    let storage = FileStorage(directory: folder.url)
    try storage.write(Data("no journal".utf8), to: "journal")
    for name in ["journal", "crash"] {
      let error = #expect(throws: LogError.self) { _ = try CrashReport.load(from: folder.url) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains(name) == true)
      _ = try makePlugin()
    }
    #expect(try storage.read("crash") == Data("no journal".utf8))
  }

  @Test("the rest of a damaged file is used, and the problem names the file and the missing actions")
  func partlyDamaged() throws {
    let store = Store(reducer: accountReducer, plugins: [try makePlugin()], state: Account())
    for number in 1...5 { store.dispatch(Deposit(amount: number)) }
    let copy = try folder.copy()
    let storage = FileStorage(directory: copy.url)
    var bytes = try #require(try storage.read("journal"))
    let place = try #require(bytes.firstRange(of: Data(#""amount":4"#.utf8))).lowerBound
    bytes[place + 9] = UInt8(ascii: "8")
    try storage.write(bytes, to: "journal")
    let report = try #require(try copy.report())
    #expect(report.entries.count == 3)
    #expect(report.problems.map(\.code) == [.damaged])
    #expect(report.problems.first?.message.contains("journal is damaged: 2 actions") == true)
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state.balance == 6)
  }

  @Test("a state that is too large is reported, and a later state that fits makes a replay possible again")
  func largeState() async throws {
    let (problems, received) = AsyncStream<LogError>.makeStream()
    let store = Store(
      reducer: accountReducer,
      plugins: [
        try .journal(
          in: folder.url, capacity: 4_096, actions: accountActions, onProblem: { received.yield($0) })
      ],
      state: Account(notes: String(repeating: "n", count: 3_000)))
    var iterator = problems.makeAsyncIterator()
    #expect(await iterator.next()?.message.contains("too small") == true)
    var report = try #require(try folder.copy().report())
    let error = #expect(throws: LogError.self) {
      let _: Account = try report.replay(into: accountReducer, with: accountActions)
    }
    #expect(error?.code == .notRecorded)
    #expect(error?.message.contains("too large") == true)
    for number in 1...60 { store.dispatch(Deposit(amount: number)) }
    report = try #require(try folder.copy().report())
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state == store.state)
  }

  @Test("a replay with other types or to a step that does not exist is an error")
  func replay() throws {
    let store = Store(reducer: accountReducer, plugins: [try makePlugin()], state: Account())
    store.dispatch(Deposit(amount: 1))
    let report = try #require(try folder.copy().report())
    func error(_ body: () throws -> Void) -> LogError.Code? {
      code(of: #expect(throws: LogError.self, performing: body))
    }
    for step in [-1, 2, Int.max, Int.min] {
      #expect(
        error { let _: Account = try report.replay(into: accountReducer, with: accountActions, upTo: step) }
          == .outOfBounds)
    }
    #expect(
      error { let _: Account = try report.replay(into: accountReducer, with: ActionRegistry()) }
        == .undecodable)
    #expect(
      error { let _: [Int] = try report.replay(into: { _, _ in }, with: accountActions) } == .undecodable)
  }

  @Test("the plug-in of a journal stops the program if it is used in two stores")
  func secondStore() async {
    // The other process cannot remove the directory.
    let folder = JournalTestFolder(named: "second store")
    await #expect(processExitsWith: .failure) {
      let folder = JournalTestFolder(named: "second store", of: getppid())
      let plugin = try Plugin<Account>.journal(in: folder.url, actions: accountActions)
      let stores = (0..<2).map { _ in Store(reducer: accountReducer, plugins: [plugin], state: Account()) }
      withExtendedLifetime((folder, stores)) {}
    }
    withExtendedLifetime(folder) {}
  }
}
