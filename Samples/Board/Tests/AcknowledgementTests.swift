import Board
import Flux
import FluxLog
import Testing

@Suite("Acknowledging", .timeLimit(.minutes(15)))
struct AcknowledgementTests {
  @Test("a change is acknowledged, read and told of when it is on disk, and not before")
  func notBefore() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    var events = app.events(after: nil).makeAsyncIterator()
    #expect(await events.nextText() == "retry: 1000\n\n")
    #expect(await events.nextText()?.hasPrefix("id: 0\n") == true)
    log.close()
    let order = Notes<String>()
    let change = Task {
      let answer = try await app.perform(.add("milk"))
      order.add("acknowledged")
      return answer
    }
    await log.appendBegan()
    #expect(app.store.state.newest.version == 1)
    #expect(app.read().version == 0)
    #expect(order.all.isEmpty)
    order.add("written")
    log.open()
    #expect(try await change.value == .added(Item(id: 1, text: "milk"), version: 1))
    #expect(order.all == ["written", "acknowledged"])
    #expect(app.read().version == 1)
    #expect(await events.nextText()?.hasPrefix("id: 1\n") == true)
  }

  @Test("what is asked for during a write is written together by the next one")
  func together() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    log.close()
    async let first = app.perform(.add("first"))
    await log.appendBegan()
    try await withThrowingTaskGroup { group in
      for number in 1...100 { group.addTask { try await app.perform(.add("\(number)")) } }
      await app.until { $0.newest.version == 101 }
      log.open()
      var versions: Set<Int> = []
      for try await answer in group {
        guard case .added(_, let version) = answer else { continue }
        versions.insert(version)
      }
      #expect(versions == Set(2...101))
    }
    _ = try await first
    #expect(log.appends == 2)
  }

  @Test("what could not be done is answered after what made it so is on disk")
  func refusalWaits() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    _ = try await app.perform(.add("milk"))
    await log.appendBegan()
    log.close()
    let removal = Task { try await app.perform(.remove(1)) }
    await log.appendBegan()
    let order = Notes<String>()
    let edit = Task {
      let answer = try await app.perform(.edit(1, Change.Edit(isDone: true)))
      order.add("answered")
      return answer
    }
    await app.until { $0.answer == .missing(1) }
    order.add("written")
    log.open()
    #expect(try await edit.value == .missing(1))
    _ = try await removal.value
    #expect(order.all == ["written", "answered"])
    #expect(log.appends == 2)
  }

  @Test("when a write fails, nothing is acknowledged or told of any more, and it is said once")
  func failure() async throws {
    let log = TestLog()
    let (problems, failures) = (Notes<String>(), Notes<Void>())
    let app = try await BoardApp.test(log, problems: problems, failures: failures)
    _ = try await app.perform(.add("kept"))
    log.fail(.refuses)
    await #expect(throws: LogError.self) { try await app.perform(.add("not kept")) }
    await #expect(throws: LogError.self) { try await app.perform(.add("nor this")) }
    #expect(app.read().items.map(\.text) == ["kept"])
    #expect(failures.all.count == 1)
    #expect(problems.all.count == 1)
    #expect(try await BoardApp.test(log).texts == ["kept"])
  }

  @Test("a board that is asked to end while it writes does not end well if that write fails")
  func failureAtTheEnd() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    log.close()
    let change = Task { try await app.perform(.add("milk")) }
    await log.appendBegan()
    app.end()
    let close = Task { try await app.close() }
    log.fail(.refuses)
    log.open()
    await #expect(throws: LogError.self) { try await close.value }
    await #expect(throws: LogError.self) { try await change.value }
  }

  @Test("after a write that failed nothing is written any more, though the storage would take it again")
  func noSecondTry() async throws {
    let log = TestLog()
    let app = try await BoardApp.test(log)
    log.fail(.losesAnswer)
    await #expect(throws: LogError.self) { try await app.perform(.add("perhaps")) }
    let left = try await log.entries(from: .start)
    log.fail(nil)
    await #expect(throws: LogError.self) { try await app.perform(.add("no more")) }
    await #expect(throws: LogError.self) { try await app.close() }
    #expect(try await log.entries(from: .start) == left)
    #expect(app.texts.isEmpty)
  }
}

extension BoardEvents.Iterator {
  mutating func nextText() async -> String? {
    await nextBuffer(suggested: 1).map { String(decoding: $0, as: UTF8.self) }
  }
}
