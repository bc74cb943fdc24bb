import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries that receive updates: entries", .unlessItHangs)
struct StreamedEntryTests {
  private let world = World()
  private let room = Messages(room: "a")

  private var sockets: Sockets { world.sockets }

  // MARK: The beginning

  @Test("the updates of a query do not begin if its first request fails")
  func failedFirst() async {
    let observer = world.store.observe(room) { _ in }
    await world.fail("a")
    observer.cancel()
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries.entries.isEmpty }
    #expect(sockets.opened.values == [])
    #expect(sockets.closed.values == [])
  }

  @Test("the updates of a query begin once, for a prefetched entry that is observed later")
  func prefetched() async {
    world.store.prefetch(room)
    await world.answer("a", "hello")
    await sockets.opened.count(atLeast: 1)
    let observer = world.store.observe(room) { _ in }
    sockets.send("world", to: "a")
    await world.until { $0.queries[room].data?.count == 2 }
    #expect(observer.state.data == ["hello", "world"])
    #expect(sockets.opened.values == ["a"])
  }

  @Test("a written result begins the updates of a query, and is removed after its lifetime")
  func written() async {
    world.store.write(["written"], to: room)
    await sockets.opened.count(atLeast: 1)
    sockets.send("world", to: "a")
    await world.until { $0.queries[room].data == ["written", "world"] }
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries.entries.isEmpty }
    await sockets.closed.count(atLeast: 1)
    #expect(world.service.calls.values == [])
  }

  private struct Doubled: StreamingQuery {
    func fetch(in context: RequestContext<AppState>) async throws -> [String] {
      [try await context.services(Service.self).call("first")]
    }

    func stream(to entry: QueryUpdates<Doubled>) async throws {
      guard let known = entry.store.state?.queries[self].data else { return }
      entry.write(known + known)
    }
  }

  @Test("the updates of a query read the current result from the store")
  func presentResult() async {
    world.store.prefetch(Doubled())
    await world.answer("first", "hello")
    await world.until { $0.queries[Doubled()].data?.count != 1 }
    #expect(world.cache[Doubled()].data == ["hello", "hello"])
  }

  // MARK: The end

  /// A query whose task makes updates after the task was canceled.
  private struct Late: StreamingQuery {
    let log: EventLog<String>

    func fetch(in context: RequestContext<AppState>) async throws -> String { "result" }

    func stream(to entry: QueryUpdates<Late>) async throws {
      for try await _ in try entry.services(Sockets.self).messages(in: "late") {}
      entry.update { [log] _ in log.record("edited") }
      entry.write("late")
      log.record("ended")
    }

    static func == (first: Late, second: Late) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  @Test("an update that is made after the removal of its entry has no effect", arguments: [false, true])
  func late(isFetchedAgain: Bool) async throws {
    let query = Late(log: EventLog())
    _ = try await world.store.fetch(query)
    await sockets.opened.count(atLeast: 1)
    world.store.batch {
      world.store.dispatch(RemoveQueries(query))
      if isFetchedAgain { world.store.prefetch(query) }
    }
    await query.log.count(atLeast: 1)
    await world.settled()
    #expect(query.log.values == ["ended"])
    #expect(world.cache[query].data == (isFetchedAgain ? "result" : nil))
    #expect(world.cache.entries.count == (isFetchedAgain ? 1 : 0))
  }

  // MARK: Pages

  /// Pages of words.
  ///
  /// The updates add words to the first page.
  private struct LiveWords: InfiniteQuery, StreamingQuery {
    let firstPage = 1

    func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> [String] {
      [try await context.services(Service.self).call("page \(number)")]
    }

    func nextPage(after pages: QueryPages<[String], Int>) -> Int? { pages.count + 1 }

    func stream(to entry: QueryUpdates<LiveWords>) async throws {
      for try await word in try entry.services(Sockets.self).messages(in: "words") {
        if word == "all" {
          entry.write(QueryPages([(1, ["A"]), (2, ["B"])], next: 3))
        } else {
          entry.update { pages in pages[0].append(word) }
        }
      }
    }
  }

  @Test("the updates of an infinite query edit a page, and write pages")
  func pages() async {
    let observer = world.store.observe(LiveWords(), of: { $0.data.map(Array.init) }) { _ in }
    await world.answer("page 1", "a")
    await sockets.opened.count(atLeast: 1)
    sockets.send("b", to: "words")
    await world.until { $0.queries[LiveWords()].data?.first?.count == 2 }
    #expect(observer.state.data?.map(\.self) == [["a", "b"]])
    sockets.send("all", to: "words")
    await world.until { $0.queries[LiveWords()].data?.count == 2 }
    #expect(observer.state.data?.map(\.self) == [["A"], ["B"]])
    world.store.prefetch(LiveWords(), .nextPage)
    await world.answer("page 3", "c")
    #expect(observer.state.data?.parameters == [1, 2, 3])
  }
}
