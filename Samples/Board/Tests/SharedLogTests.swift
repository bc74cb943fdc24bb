import Board
import Flux
import FluxLog
import FluxTesting
import Foundation
import Testing

@Suite("Several processes with one log", .timeLimit(.minutes(15)))
struct SharedLogTests {
  @Test("a change through one process is sent to the pages of another, with the same id and version")
  func followed() async throws {
    let log = TestLog()
    let first = try await BoardApp.test(log, isShared: true)
    let second = try await BoardApp.test(TestLog(sharing: log), isShared: true)
    var page = second.events(after: nil).makeAsyncIterator()
    _ = await page.nextText()
    #expect(await page.nextText()?.hasPrefix("id: 0\n") == true)
    #expect(try await first.perform(.add("milk")) == .added(Item(id: 1, text: "milk"), version: 1))
    #expect(await page.nextText()?.hasPrefix("id: 1\n") == true)
    #expect(second.texts == ["milk"])
    #expect(try await second.perform(.add("tea")) == .added(Item(id: 2, text: "tea"), version: 2))
  }

  @Test("changes that many processes make at the same time are each made once")
  func conflicts() async throws {
    let log = TestLog()
    var apps: [BoardApp] = []
    for _ in 0..<3 { apps.append(try await BoardApp.test(TestLog(sharing: log), isShared: true)) }
    let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
      for (number, app) in apps.enumerated() {
        for change in 0..<40 { group.addTask { try await app.perform(.add("\(number) \(change)")) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    var list = ItemList()
    for answer in answers.sorted(by: { $0.version < $1.version }) {
      guard case .added(let item, _) = answer else { continue }
      #expect(list.apply(.add(item.text)) == answer)
    }
    #expect(list.version == 120)
    for app in apps {
      await app.until { $0.saved.version == 120 }
      #expect(app.store.state.saved == list)
      #expect(app.store.state.newest == list)
    }
  }

  @Test("a process that is stopped before its append decides again when it continues")
  func stopped() async throws {
    let log = TestLog()
    let first = try await BoardApp.test(log, isShared: true)
    let second = try await BoardApp.test(TestLog(sharing: log), isShared: true)
    log.close()
    let change = Task { try await first.perform(.add("milk")) }
    await log.appendBegan()
    let removal = Task { try await first.perform(.remove(2)) }
    await first.until { $0.answer == .missing(2) }
    #expect(try await second.perform(.add("tea")) == .added(Item(id: 1, text: "tea"), version: 1))
    #expect(first.texts.isEmpty)
    log.open()
    #expect(try await change.value == .added(Item(id: 2, text: "milk"), version: 2))
    #expect(try await removal.value == .removed(Item(id: 2, text: "milk"), version: 3))
    await second.until { $0.saved.version == 3 }
    #expect(first.store.state.saved == second.store.state.saved)
  }

  @Test("that an item does not exist is answered only if the log says so, and not by an older list")
  func missing() async throws {
    let log = TestLog()
    let first = try await BoardApp.test(log, isShared: true)
    let second = try await BoardApp.test(TestLog(sharing: log, isSilent: true), isShared: true)
    _ = try await first.perform(.add("milk"))
    #expect(second.texts.isEmpty)
    #expect(try await second.perform(.remove(2)) == .missing(2))
    #expect(second.texts == ["milk"])
    _ = try await first.perform(.add("tea"))
    #expect(try await second.perform(.remove(2)) == .removed(Item(id: 2, text: "tea"), version: 3))
  }

  @Test("a change whose append has no answer is refused, and shown once if the log contains it")
  func lostAnswer() async throws {
    let log = TestLog()
    let (clock, problems, failures) = (ManualClock(), Notes<String>(), Notes<Void>())
    let first = try await BoardApp.test(
      log, isShared: true, clock: clock, problems: problems, failures: failures)
    let second = try await BoardApp.test(TestLog(sharing: log), isShared: true)
    log.fail(.losesAnswer)
    await #expect(throws: LogError.self) { try await first.perform(.add("milk")) }
    log.fail(nil)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await first.until { $0.changes.isReachable }
    #expect(first.texts == ["milk"])
    #expect(try await first.perform(.add("tea")) == .added(Item(id: 2, text: "tea"), version: 2))
    await second.until { $0.saved.version == 2 }
    #expect(second.texts == ["milk", "tea"])
    #expect(problems.all.count == 2)
    #expect(failures.all.isEmpty)
  }

  @Test("while the log cannot be reached, changes are refused and reads continue, and then it goes on")
  func unreachable() async throws {
    let log = TestLog()
    let clock = ManualClock()
    let app = try await BoardApp.test(log, isShared: true, clock: clock)
    let other = try await BoardApp.test(TestLog(sharing: log), isShared: true)
    _ = try await app.perform(.add("milk"))
    try await withServer(app) { port in
      let client = try await Client(to: port)
      log.setUnreachable(true)
      #expect(try await client.ask("POST", "/items", #"{"text": "lost"}"#).status == 503)
      await clock.sleepers(atLeast: 1)
      #expect(try await client.ask("POST", "/items", #"{"text": "lost"}"#).status == 503)
      clock.advance(by: .seconds(1))
      await clock.sleepers(atLeast: 1)
      _ = try await other.perform(.add("tea"))
      let list = try await client.ask("GET", "/items")
      #expect(list.body == #"{"items":[{"done":false,"id":1,"text":"milk"}],"version":1}"#)
      log.setUnreachable(false)
      clock.advance(by: .seconds(1))
      await app.until { $0.changes.isReachable }
      #expect(app.texts == ["milk", "tea"])
      #expect(try await client.ask("POST", "/items", #"{"text": "jam"}"#).status == 201)
      #expect(app.texts == ["milk", "tea", "jam"])
    }
  }

  @Test("a board that is asked to end while the log cannot be reached ends")
  func endWithoutLog() async throws {
    let (log, clock) = (TestLog(), ManualClock())
    let app = try await BoardApp.test(log, isShared: true, clock: clock)
    log.setUnreachable(true)
    await #expect(throws: LogError.self) { try await app.perform(.add("lost")) }
    let end = Task { try await app.close() }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await end.value
  }

  @Test("a log with an entry that this program does not know ends the board, and is not repaired")
  func unknownEntry() async throws {
    let log = TestLog()
    let failures = Notes<Void>()
    let app = try await BoardApp.test(
      TestLog(sharing: log, isSilent: true), isShared: true, failures: failures)
    _ = try await log.append([Data(#"{"change":{"paint":{"_0":"red"}}}"#.utf8)], at: .start)
    await #expect(throws: LogError.self) { try await app.perform(.add("milk")) }
    #expect(failures.all.count == 1)
    #expect(try await log.end() == LogPosition(1))
  }

  @Test("a board whose log is removed ends, because it would no longer show the changes of others")
  func removed() async throws {
    let log = TestLog(sharing: TestLog(), isSilent: true)
    let failures = Notes<Void>()
    let app = try await BoardApp.test(log, isShared: true, failures: failures)
    log.endSilence()
    while failures.all.isEmpty { await Task.yield() }
    await #expect(throws: LogError.self) { try await app.perform(.add("milk")) }
    await #expect(throws: LogError.self) { try await app.close() }
    #expect(failures.all.count == 1)
  }

  @Test("a process whose next entries were removed, and a new one, begin with the snapshot of another")
  func truncated() async throws {
    let log = TestLog()
    let first = try await BoardApp.test(log, isShared: true, snapshotLimit: 100)
    let second = try await BoardApp.test(TestLog(sharing: log, isSilent: true), isShared: true)
    for number in 1...20 { _ = try await first.perform(.add("\(number)")) }
    try await first.close()
    await #expect(throws: LogError.self) { try await log.entries(from: .start) }
    let third = try await BoardApp.test(TestLog(sharing: log), isShared: true)
    #expect(third.store.state.saved == first.store.state.saved)
    #expect(second.texts.isEmpty)
    #expect(try await second.perform(.add("tea")) == .added(Item(id: 21, text: "tea"), version: 21))
    #expect(second.texts == first.texts + ["tea"])
  }

  @Test("the process that fills the log saves the snapshot, and a process that only follows saves none")
  func oneSnapshot() async throws {
    let (log, limit) = (TestLog(keepsEntries: true), 100)
    let other = TestLog(sharing: log)
    let first = try await BoardApp.test(log, isShared: true, snapshotLimit: limit)
    let second = try await BoardApp.test(other, isShared: true, snapshotLimit: limit)
    for number in 1...20 {
      _ = try await first.perform(.add("\(number)"))
      await second.until { $0.saved.version == number }
    }
    _ = try await second.perform(.add("tea"))
    try await first.close()
    try await second.close()
    #expect(log.saves >= 3)
    #expect(other.saves == 0)
  }

  @Test("a page that has seen more through another process is sent no older list")
  func ahead() async throws {
    let log = TestLog()
    let other = TestLog(sharing: log, isSilent: true)
    let first = try await BoardApp.test(log, isShared: true)
    let second = try await BoardApp.test(other, isShared: true)
    for text in ["milk", "bread"] { _ = try await first.perform(.add(text)) }
    for isUnreachable in [false, true] {
      other.setUnreachable(isUnreachable)
      var page = await second.events(continuing: 2).makeAsyncIterator()
      _ = await page.nextText()
      #expect(await page.nextText() == ": beat\n\n")
    }
    other.setUnreachable(false)
    var page = await second.events(continuing: 2).makeAsyncIterator()
    _ = await page.nextText()
    #expect(await page.nextText() == ": beat\n\n")
    _ = try await second.perform(.add("tea"))
    #expect(await page.nextText()?.hasPrefix("id: 3\n") == true)
    var otherBoard = await second.events(continuing: 9).makeAsyncIterator()
    _ = await otherBoard.nextText()
    #expect(await otherBoard.nextText()?.hasPrefix("id: 3\n") == true)
  }
}

extension Answer {
  /// The version that the change has made, or zero.
  fileprivate var version: Int {
    switch self {
    case .added(_, let version), .edited(_, let version), .removed(_, let version): version
    case .missing, .full, .superseded, .reused: 0
    }
  }
}
