#if Postgres
  import Board
  import Flux
  import FluxLog
  import FluxPostgres
  import Foundation
  import Testing

  @Suite("Several processes with one log in PostgreSQL", .serialized, .timeLimit(.minutes(15)))
  struct PostgresTests {
    private let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }

    private func variable(_ name: String) throws -> String {
      try #require(
        ProcessInfo.processInfo.environment[name], "Run Samples/Board/check, which starts a server.")
    }

    private func makeApp(snapshotLimit: Int = 1 << 20) async throws -> BoardApp {
      let log = try await PostgresLog(variable("FLUX_POSTGRES_URL"), name: name)
      return try await BoardApp.test(log, isShared: true, snapshotLimit: snapshotLimit)
    }

    @Test("a change through one process is sent to the pages of another")
    func followed() async throws {
      let (first, second) = (try await makeApp(), try await makeApp())
      var page = second.events(after: nil).makeAsyncIterator()
      _ = await page.nextText()
      #expect(await page.nextText()?.hasPrefix("id: 0\n") == true)
      #expect(try await first.perform(.add("milk")) == .added(Item(id: 1, text: "milk"), version: 1))
      #expect(await page.nextText()?.hasPrefix("id: 1\n") == true)
      #expect(try await second.perform(.remove(1)) == .removed(Item(id: 1, text: "milk"), version: 2))
      #expect(try await first.perform(.remove(1)) == .missing(1))
    }

    @Test("changes that many processes make at the same time are each made once, and snapshots keep them")
    func conflicts() async throws {
      var apps: [BoardApp] = []
      for _ in 0..<3 { apps.append(try await makeApp(snapshotLimit: 200)) }
      try await withThrowingTaskGroup { group in
        for (number, app) in apps.enumerated() {
          for change in 0..<40 { group.addTask { try await app.perform(.add("\(number) \(change)")) } }
        }
        try await group.waitForAll()
      }
      for app in apps { await app.until { $0.saved.version == 120 } }
      let lists = Set(apps.map(\.store.state.saved))
      #expect(lists.count == 1)
      #expect(Set(lists.first?.items.map(\.text) ?? []).count == 120)
      for app in apps { try await app.close() }
      let log = try await PostgresLog(variable("FLUX_POSTGRES_URL"), name: name)
      #expect(try await log.snapshot()?.position ?? .start > .start)
      let next = try await makeApp()
      #expect(lists == [next.store.state.saved])
    }

    @Test("while the server is down, changes are refused and reads continue, and then it goes on by itself")
    func serverDown() async throws {
      let (app, other) = (try await makeApp(), try await makeApp())
      _ = try await app.perform(.add("milk"))
      try await run("crash")
      await #expect(throws: LogError.self) { try await app.perform(.add("tea")) }
      #expect(app.read().items.map(\.text) == ["milk"])
      try await run("start")
      await app.until { $0.changes.isReachable }
      #expect(try await app.perform(.add("jam")) == .added(Item(id: 2, text: "jam"), version: 2))
      await other.until { $0.saved.version == 2 }
      #expect(other.texts == ["milk", "jam"])
    }

    /// Kills or starts the server.
    private func run(_ action: String) async throws {
      let script = try variable("FLUX_POSTGRES_SERVER")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: script)
      process.arguments = [action]
      let status = try await withCheckedThrowingContinuation { (end: CheckedContinuation<Int32, any Error>) in
        process.terminationHandler = { end.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { end.resume(throwing: error) }
      }
      try #require(status == 0)
    }
  }
#endif
