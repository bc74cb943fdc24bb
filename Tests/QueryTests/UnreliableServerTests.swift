import FluxAsync
import FluxCore
import FluxLists
import FluxQuery
import FluxTesting
import TestSupport
import Testing

/// Pages with the words of the service's answer, and a cursor that never changes.
private struct SameCursor: PaginatedQuery {
  var pagination: CursorPaginationStrategy { CursorPaginationStrategy() }

  func fetchPage(
    _ position: PagePosition, in context: RequestContext<AppState>
  ) async throws -> ListPage<String> {
    ListPage([try await context.services(Service.self).call("page")], nextCursor: "same")
  }
}

@Suite("Queries of a server that stalls, fails, lies, and answers twice or out of order", .unlessItHangs)
struct UnreliableServerTests {
  /// A world whose service does not heed cancellation, so that late answers arrive.
  private let world = World(service: Service(heedsCancellation: false))
  private let limited = Custom("words", .every.timingOut(after: .seconds(5)))

  // MARK: Stalling

  @Test("an answer after the time limit changes nothing, and the old result remains")
  func late() async {
    world.store.write("old", to: limited)
    world.store.prefetch(limited, .always)
    await world.service.calls.count(atLeast: 1)
    await world.sleeps(for: .seconds(5))
    world.clock.advance(by: .seconds(5))
    await world.until { $0.queries[limited].error != nil }
    world.service.answer("words", with: .success("late"))
    // Another request gives the late answer time to arrive.
    await world.load(7, "Playtime")
    #expect(world.cache[limited].data == "old")
    #expect(world.cache[limited].error?.code == .timedOut)
  }

  @Test("after a server has stalled, the next request shows its own answer, and not the late answer")
  func lateDuringNext() async {
    world.store.prefetch(limited)
    await world.service.calls.count(atLeast: 1)
    await world.sleeps(for: .seconds(5))
    world.clock.advance(by: .seconds(5))
    await world.until { $0.queries[limited].error != nil }
    world.store.prefetch(limited)
    await world.service.calls.count(atLeast: 2)
    world.service.answer("words", with: .success("late"))
    // Another request gives the late answer time to arrive.
    world.store.prefetch(FilmByID(id: 7))
    world.service.answer("film 7", with: .success("Playtime"))
    await world.until { $0.queries[FilmByID(id: 7)].data != nil }
    #expect(world.cache[limited].data == nil)
    #expect(world.cache[limited].isFetching)
    await world.answer("words", "new")
    #expect(world.cache[limited].data == "new")
    #expect(world.cache[limited].error == nil)
  }

  @Test("the answer of an attempt that was given up does not become the result of the next attempt")
  func lateAttempt() async {
    let query = Custom(
      "words", .every.timingOut(after: .seconds(5)).retrying(.times(1, backoff: .constant(.seconds(1)))))
    world.store.prefetch(query)
    await world.service.calls.count(atLeast: 1)
    await world.sleeps(for: .seconds(5))
    world.clock.advance(by: .seconds(5))
    await world.until { $0.queries[query].failedAttempts == 1 }
    world.service.answer("words", with: .success("late"))
    await world.sleeps(for: .seconds(1))
    world.clock.advance(by: .seconds(1))
    await world.service.calls.count(atLeast: 2)
    #expect(world.cache[query].data == nil)
    await world.answer("words", "new")
    #expect(world.cache[query].data == "new")
  }

  // MARK: Failing

  @Test("a CancellationError of a request that was not canceled is a failure like any other")
  func cancellationError() async {
    let (observer, states) = world.observe(7)
    world.service.answer("film 7", with: .failure(CancellationError()))
    await world.settled()
    #expect(world.film(7).error?.code == .failed)
    #expect(world.film(7).error?.cause is CancellationError)
    #expect(states.values.last?.error != nil)
    withExtendedLifetime(observer) {}
  }

  // MARK: Answering out of order

  @Test("an answer to a request that was replaced by a written result is dropped")
  func outOfOrder() async {
    world.store.prefetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 1)
    world.store.write(Film(id: 7, title: "Traffic"), to: FilmByID(id: 7))
    await world.answer("film 7", "Playtime")
    #expect(world.film(7).data?.title == "Traffic")
  }

  @Test("if the answer of an aborted request arrives after the answer of a newer request, it is dropped")
  func newerFirst() async {
    let query = FilmByID(id: 7)
    world.store.prefetch(query)
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    world.store.prefetch(query)
    await world.service.calls.count(atLeast: 2)
    world.service.answerNewest("film 7", with: "new")
    await world.until { $0.queries[query].data?.title == "new" }
    await world.answer("film 7", "old")
    #expect(world.film(7).data?.title == "new")
  }

  // MARK: Lying

  @Test("a result belongs to the query that asked for it, also if the server answers with another film")
  func otherFilm() async {
    world.store.write(Film(id: 8, title: "Traffic"), to: FilmByID(id: 8))
    world.store.prefetch(FilmByID(id: 7))
    await world.answer("film 7", "Traffic")
    #expect(world.film(7).data == Film(id: 7, title: "Traffic"))
    #expect(world.film(8).data == Film(id: 8, title: "Traffic"))
  }

  @Test("if a cursor never changes, each request for a page is one call, and a refetch ends")
  func sameCursor() async {
    for _ in 1...3 {
      world.store.prefetch(SameCursor(), .nextPage)
      await world.answer("page", "a")
    }
    #expect(world.cache[SameCursor()].data?.count == 3)
    world.store.prefetch(SameCursor(), .always)
    for number in 4...6 {
      await world.service.calls.count(atLeast: number)
      world.service.answer("page", with: .success("b"))
    }
    await world.settled()
    #expect(world.cache[SameCursor()].data?.flatMap(\.items) == ["b", "b", "b"])
    #expect(world.service.calls.values.count == 6)
  }

  // MARK: Failing

  @Test("however often a server fails, the last result remains, and each request is one call")
  func failures() async {
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    for _ in 1...20 {
      world.store.prefetch(FilmByID(id: 7), .always)
      await world.fail("film 7")
    }
    #expect(world.film(7).data?.title == "Playtime")
    #expect(world.service.calls.values.count == 20)
  }
}
