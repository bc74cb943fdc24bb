import Board
import Flux
import Testing

@Suite("Acknowledging", .timeLimit(.minutes(15)))
struct AcknowledgementTests {
  @Test("a change is acknowledged, read and told of when it is on disk, and not before")
  func notBefore() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    var events = app.events(after: nil).makeAsyncIterator()
    #expect(await events.nextText() == "retry: 1000\n\n")
    #expect(await events.nextText()?.hasPrefix("id: 0\n") == true)
    journal.close()
    let order = Notes<String>()
    let change = Task {
      let answer = try await app.perform(.add("milk"))
      order.add("acknowledged")
      return answer
    }
    await journal.writeBegan()
    #expect(app.store.state.newest.version == 1)
    #expect(app.read().version == 0)
    #expect(order.all.isEmpty)
    order.add("written")
    journal.open()
    #expect(try await change.value == .added(Item(id: 1, text: "milk"), version: 1))
    #expect(order.all == ["written", "acknowledged"])
    #expect(app.read().version == 1)
    #expect(await events.nextText()?.hasPrefix("id: 1\n") == true)
  }

  @Test("what is asked for during a write is written together by the next one")
  func together() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    journal.close()
    async let first = app.perform(.add("first"))
    await journal.writeBegan()
    try await withThrowingTaskGroup { group in
      for number in 1...100 { group.addTask { try await app.perform(.add("\(number)")) } }
      await app.until { $0.newest.version == 101 }
      journal.open()
      var versions: Set<Int> = []
      for try await answer in group {
        guard case .added(_, let version) = answer else { continue }
        versions.insert(version)
      }
      #expect(versions == Set(2...101))
    }
    _ = try await first
    #expect(journal.appends == 2)
  }

  @Test("what could not be done is answered after what made it so is on disk")
  func refusalWaits() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    _ = try await app.perform(.add("milk"))
    await journal.writeBegan()
    journal.close()
    let removal = Task { try await app.perform(.remove(1)) }
    await journal.writeBegan()
    let order = Notes<String>()
    let edit = Task {
      let answer = try await app.perform(.edit(1, Change.Edit(isDone: true)))
      order.add("answered")
      return answer
    }
    await app.until { $0.answer == .missing(1) }
    order.add("written")
    journal.open()
    #expect(try await edit.value == .missing(1))
    _ = try await removal.value
    #expect(order.all == ["written", "answered"])
    #expect(journal.appends == 2)
  }

  @Test("when a write fails, nothing is acknowledged or told of any more, and it is said once")
  func failure() async throws {
    let journal = TestJournal()
    let (problems, failures) = (Notes<String>(), Notes<Void>())
    let app = try BoardApp.test(journal, problems: problems, failures: failures)
    _ = try await app.perform(.add("kept"))
    journal.refuse()
    await #expect(throws: JournalError.self) { try await app.perform(.add("not kept")) }
    await #expect(throws: JournalError.self) { try await app.perform(.add("nor this")) }
    #expect(app.read().items.map(\.text) == ["kept"])
    #expect(failures.all.count == 1)
    #expect(problems.all.count == 1)
    #expect(try BoardApp.test(TestJournal(journal.all)).texts == ["kept"])
  }

  @Test("a board that is asked to end while it writes does not end well if that write fails")
  func failureAtTheEnd() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    journal.close()
    let change = Task { try await app.perform(.add("milk")) }
    await journal.writeBegan()
    app.end()
    let close = Task { try await app.close() }
    journal.refuse()
    journal.open()
    await #expect(throws: JournalError.unwritable(reason: "Refused()")) { try await close.value }
    await #expect(throws: JournalError.self) { try await change.value }
  }

  @Test("a list that cannot be saved when the board is closed is told of once, not again at its end")
  func failureToSave() async throws {
    let (snapshots, problems) = (InMemoryStorage(), Notes<String>())
    var app: BoardApp? = try BoardApp.test(snapshots: snapshots, problems: problems)
    _ = try await app?.perform(.add("milk"))
    snapshots.failure = { operation in if case .write = operation { TestJournal.Refused() } else { nil } }
    await #expect(throws: PersistenceError.self) { try await app?.close() }
    app = nil
    #expect(problems.all.count == 1)
  }

  @Test("after a write that failed nothing is written any more, though the storage would take it again")
  func noSecondTry() async throws {
    let journal = TestJournal()
    let app = try BoardApp.test(journal)
    journal.refuse(.safety)
    await #expect(throws: JournalError.self) { try await app.perform(.add("perhaps")) }
    let left = journal.all
    journal.refuse(.none)
    await #expect(throws: JournalError.self) { try await app.perform(.add("no more")) }
    await #expect(throws: JournalError.self) { try await app.close() }
    #expect(journal.all == left)
    #expect(app.texts.isEmpty)
  }
}

extension BoardEvents.Iterator {
  mutating func nextText() async -> String? {
    await nextBuffer(suggested: 1).map { String(decoding: $0, as: UTF8.self) }
  }
}
