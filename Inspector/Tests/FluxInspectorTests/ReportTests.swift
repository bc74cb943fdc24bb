import Flux
import FluxInspector
import FluxLog
import Foundation
import Testing

@Suite("Crash reports on the page", .timeLimit(.minutes(15)))
struct ReportTests {
  private let desk = Desk()

  /// Returns a report of a program that reduces actions, and is killed afterward.
  ///
  /// - Parameter interrupted: The action during whose reduction the program is killed, or `nil` if
  ///   the program is killed after the other actions.
  private func report(
    of actions: [any Action], during interrupted: (any Action)? = nil, capacity: Int = 1 << 16,
    redacting redaction: Redaction = .none
  ) throws -> CrashReport {
    let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (running, killed) = (folder.appending(path: "running"), folder.appending(path: "killed"))
    /// Keeps the file that a kill of the program would leave now.
    @Sendable func kill() {
      do {
        try FileManager.default.createDirectory(at: killed, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          at: running.appending(path: "journal"), to: killed.appending(path: "journal"))
      } catch {
        Issue.record(error)
      }
    }
    let isLast = Locked(false)
    let store = try Store(
      reducer: { (shelf: inout Shelf, action) in
        if isLast.withLock({ $0 }) { return kill() }
        shelfReducer(&shelf, action)
      },
      plugins: [
        .journal(
          in: running, capacity: capacity, actions: shelfActions, redacting: redaction,
          onProblem: { _ in })
      ], state: Shelf())
    for action in actions { store.dispatch(action) }
    isLast.withLock { $0 = true }
    if let interrupted { store.dispatch(interrupted) } else { kill() }
    return try #require(try CrashReport.load(from: killed))
  }

  /// Opens a page that shows a report as its second store.
  private func open(_ report: CrashReport, redacting redaction: Redaction = .none) async throws -> PageClient
  {
    try desk.inspector.show(
      report, named: "Crash", actions: shelfActions, redacting: redaction, reducer: shelfReducer)
    return try await desk.open()
  }

  private func store(_ page: PageClient) async throws -> JSONValue {
    try #require(await page.received.first?["stores"]?.elements.last)
  }

  private let books: [any Action] = [
    AddBook(id: 17, title: "Emma"), Count(), AddBook(id: 28, title: "Ulysses"),
  ]

  @Test("the Inspector keeps the reducer of a report only until show returns")
  func reducer() throws {
    final class Kept: Sendable { func touch() {} }
    struct Tracker { weak var alive: Kept? }
    let report = try report(of: books)
    func show() throws -> Tracker {
      let kept = Kept()
      try desk.inspector.show(report, actions: shelfActions) { (shelf: inout Shelf, action) in
        kept.touch()
        shelfReducer(&shelf, action)
      }
      return Tracker(alive: kept)
    }
    let tracker = try show()
    #expect(tracker.alive == nil)
  }

  @Test("the actions of a report are listed, with their changes and the states after them")
  func actions() async throws {
    let page = try await open(try report(of: books))
    let log = try await page.watch(2)
    #expect(log["entries"]?.elements.map { $0["name"] } == ["AddBook", "Count", "AddBook"])
    #expect(log["entries"]?.elements.first?["text"] == "AddBook(id: 17, title: \"Emma\")")
    #expect(try await page.ask("state", store: 2, ["at": 0])["tree"]?.node("count")?["value"] == "0")
    #expect(try await page.ask("state", store: 2, ["at": 2])["tree"]?.node("count")?["value"] == "1")
    let state = try await page.ask("state", store: 2)["tree"]
    #expect(state?.node("books")?["summary"] == "2 elements")
    #expect(
      try await page.ask("changes", store: 2, ["entry": 2])["changes"]
        == [["path": "count", "kind": "changed", "before": "0", "after": "1"]])
    let found = try await page.ask("find", store: 2, ["path": "count", "from": 3, "limit": 10])
    #expect(found["entries"] == [2])
  }

  @Test("the page receives how the program ended, and the time of the last change of the file")
  func ending() async throws {
    let report = try report(of: books)
    let page = try await open(report)
    let line = try await store(page)
    #expect(line["name"] == "Crash")
    #expect(line["report"]?["text"] == "The program ended after the action AddBook.")
    let time = try #require(report.lastChange)
    // JSON need not preserve the last digit of a number.
    let sent = try #require(line["report"]?["time"]?.number)
    #expect(abs(sent - time.timeIntervalSince1970 * 1_000) < 1)
    #expect(abs(time.timeIntervalSinceNow) < 600)
    let first = try #require(await page.received.first?["stores"]?.elements.first)
    #expect(first["report"] == nil)
  }

  @Test("the interrupted action is the last one, and is not reduced again")
  func interrupted() async throws {
    let page = try await open(try report(of: books, during: Count()))
    let line = try await store(page)
    #expect(line["report"]?["text"] == "The program ended while it reduced the action Count.")
    let log = try await page.watch(2)
    #expect(log["entries"]?.elements.map { $0["name"] } == ["AddBook", "Count", "AddBook", "Count"])
    #expect(try await page.ask("state", store: 2)["tree"]?.node("count")?["value"] == "1")
    #expect(try await page.ask("changes", store: 2, ["entry": 4])["changes"] == [])
  }

  @Test("a report can only be read, and exported")
  func readOnly() async throws {
    let page = try await open(try report(of: books))
    let state = try await page.ask("state", store: 2)["tree"]
    for (request, members) in [
      ("command", ["command": "undo", "entry": .null]), ("command", ["command": "jump", "entry": 1]),
      ("dispatch", ["name": "Count", "payload": "{}"]), ("import", ["document": "{}"]),
    ] as [(String, [String: JSONValue])] {
      #expect(try await page.ask(request, store: 2, members)["code"] == "readOnly", "\(request)")
    }
    #expect(try await page.ask("state", store: 2)["tree"] == state)
    let document = try #require(try await page.ask("export", store: 2)["document"]?.string)
    // The running program can import the actions of the report.
    #expect(try await page.ask("import", store: 1, ["document": .string(document)])["type"] == "done")
    #expect(desk.store.state.books.count == 2)
  }

  @Test("a secret of the interrupted action, and of the other actions, does not reach the page")
  func secrets() async throws {
    let secret = SetPassword(password: "enchantress")
    let report = try report(of: [secret, Count()], during: secret)
    #expect("\(report.entries)".contains("enchantress"))
    let page = try await open(report, redacting: .fields("password"))
    _ = try await page.watch(2)
    for entry in 1...3 {
      _ = try await page.ask("state", store: 2, ["at": .integer(entry)])
      _ = try await page.ask("changes", store: 2, ["entry": .integer(entry)])
      _ = try await page.ask("action", store: 2, ["entry": .integer(entry)])
    }
    _ = try await page.ask("export", store: 2)
    #expect(await page.received.count >= 12)
    #expect(await !"\(page.received)".contains("enchantress"))
  }

  @Test("a report without a step that can be replayed is refused with an error")
  func unusable() throws {
    // The state is larger than half of the journal.
    let large = AddBook(id: 1, title: String(repeating: "x", count: 5_000))
    let report = try report(of: [large] + Array(repeating: Count(), count: 200), capacity: 1 << 12)
    #expect {
      try desk.inspector.show(report, actions: shelfActions, reducer: shelfReducer)
    } throws: { error in
      (error as? LogError)?.code == .notRecorded
    }
  }

  @Test(
    "the page shows the last actions that can be replayed, and the number of the others", arguments: 0..<60)
  func gaps(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let unregistered = [0, 1, 30, 100][seed % 4]
    let actions: [any Action] = (0..<Int.random(in: 0...60, using: &random)).map { number in
      if Int.random(in: 0..<100, using: &random) < unregistered { return Untold(password: "\(number)") }
      let title = String(repeating: "t", count: Int.random(in: 0...20, using: &random))
      return number.isMultiple(of: 3) ? AddBook(id: number, title: title) : Count()
    }
    let report = try report(of: actions, capacity: [2_112, 1 << 14][seed / 4 % 2])
    let states: [Shelf?] = (0...report.entries.count).map { step in
      try? report.replay(into: shelfReducer, with: shelfActions, upTo: step)
    }
    guard let last = states.lastIndex(where: { $0 != nil }) else { return }
    var first = last
    while first > 0, states[first - 1] != nil, report.entries[first - 1].json != nil { first -= 1 }

    let page = try await open(report)
    let text = try await store(page)["report"]?["text"]?.string ?? ""
    func hidden(_ count: Int, _ thing: String) -> String {
      count == 0 ? "" : " \(count) \(thing)\(count == 1 ? "" : "s") cannot be replayed."
    }
    let end = hidden(first, "earlier action") + hidden(report.entries.count - last, "later action")
    let name = report.entries.last.map { "after the action \($0.name)." } ?? "before its first action."
    #expect(text == "The program ended \(name)\(end)")
    let log = try await page.watch(2)
    #expect(log["entries"]?.elements.count == last - first)
    for (entry, step) in (first...last).enumerated() {
      let tree = try await page.ask("state", store: 2, ["at": .integer(entry)])["tree"]
      #expect(tree?.node("count")?["value"] == .string("\(states[step]?.count ?? -1)"), "step \(step)")
    }
  }
}
