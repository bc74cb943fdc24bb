import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

/// A mutation with a policy.
///
/// The mutation shows the title "Traffic" while it is running.
private struct Retried: Mutation {
  let policy: WorkPolicy

  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("change")
  }

  func optimisticEdits() -> [QueryEdit] {
    [.edit(FilmByID(id: 7)) { film in film.title = "Traffic" }]
  }
}

@Suite("Queries and mutations: retries", .unlessItHangs)
struct RetryTests {
  private let world = World()
  private let failure = QueryFailure(.failed, cause: Service.Trouble())
  private let second = Backoff.constant(.seconds(1))

  /// The rejected actions of all requests.
  private var rejections: Int { world.actions.values.count { $0.contains(".Rejected(") } }

  /// Performs a mutation whose policy allows the given retries.
  private func mutate(_ retry: Retry) -> MutationTask<String> {
    world.store.mutate(Retried(policy: .every.retrying(retry)))
  }

  /// Makes the next attempt fail, and ends the delay before the attempt that follows.
  private func failAndWait() async {
    world.service.fail("change")
    await world.sleeps(for: .seconds(1))
    world.clock.advance(by: .seconds(1))
  }

  // MARK: Mutations

  @Test("a mutation is retried as its policy specifies, until an attempt succeeds")
  func success() async {
    let task = mutate(.times(5, backoff: second))
    for _ in 1...2 { await failAndWait() }
    world.service.answer("change", with: .success("done"))
    #expect(await task.result == .success("done"))
    #expect(world.service.calls.values.count == 3)
    #expect(rejections == 0)
  }

  @Test("a mutation that keeps failing is attempted as often as its policy allows")
  func exhausted() async {
    let task = mutate(.times(2, backoff: second))
    for _ in 1...2 { await failAndWait() }
    world.service.fail("change")
    #expect(await task.result == .failure(failure))
    #expect(world.service.calls.values.count == 3)
    #expect(rejections == 1)
  }

  private struct Refusal: Error, Equatable {}

  @Test("the closure of a policy decides whether an error of a mutation is followed by a retry")
  func closure() async {
    let task = mutate(.times(5, backoff: second) { !($0 is Refusal) })
    await failAndWait()
    world.service.answer("change", with: .failure(Refusal()))
    #expect(await task.result == .failure(QueryFailure(.failed, cause: Refusal())))
    #expect(world.service.calls.values.count == 2)
  }

  @Test("an optimistic edit remains between attempts, and is removed after the last failure")
  func optimisticEdit() async {
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    let (observer, _) = world.observe(7)
    let task = mutate(.times(1, backoff: second))
    world.service.fail("change")
    await world.sleeps(for: .seconds(1))
    #expect(observer.state.data?.title == "Traffic")
    world.clock.advance(by: .seconds(1))
    world.service.fail("change")
    _ = await task.result
    #expect(world.film(7).data?.title == "Playtime")
  }

  @Test("a mutation that is aborted during the wait before a retry is not retried, and aborted once")
  func abortedTwice() async {
    let task = mutate(.times(5, backoff: second))
    world.service.fail("change")
    await world.sleeps(for: .seconds(1))
    for _ in 1...2 { task.abort() }
    #expect(await task.result == .failure(QueryFailure(.aborted)))
    world.clock.advance(by: .seconds(1))
    await world.settled()
    #expect(world.service.calls.values == ["change"])
    #expect(rejections == 1)
  }

  // MARK: Queries

  @Test("a query that is aborted during an attempt is not retried", arguments: [true, false])
  func abortedAttempt(heedsCancellation: Bool) async {
    let world = World(service: Service(heedsCancellation: heedsCancellation))
    let query = Custom("words", .every.retrying(.times(5, backoff: second)))
    let work = world.store.dispatchAsync(FetchQuery(query))
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    if !heedsCancellation { world.service.fail("words") }
    await work.finished()
    #expect(world.service.calls.values == ["words"])
    // Only the lifetime of the entry is measured.
    await world.sleeps(for: .seconds(60))
    #expect(world.clock.sleepers == 1)
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("a policy with zero retries, or fewer, allows one attempt", arguments: [0, -1])
  func none(times: Int) async {
    let query = Custom("words", .every.retrying(.times(times)))
    world.store.prefetch(query)
    await world.fail("words")
    #expect(world.cache[query].error == failure)
    #expect(world.service.calls.values == ["words"])
  }

  @Test("a policy that the store sets for all queries does not let requests of one query overlap")
  func policyOfStore() async {
    let world = World(policies: [.of(FetchQuery.self, .every)])
    let isFirst = Shared(true)
    // The observer of an arriving request sends the request again, before the first is pending.
    let token = world.store.subscribe(initial: false) { _ in
      if isFirst.exchange(false) { world.store.prefetch(FilmByID(id: 7)) }
    }
    world.store.dispatch(FetchQuery(FilmByID(id: 7)))
    #expect(world.actions.values.count { $0.contains("Pending") } == 1)
    withExtendedLifetime(token) {}
  }

  @Test("a second rule for retries replaces the first")
  func replacedRule() async {
    let policy = WorkPolicy.every.retrying(.times(3, backoff: second)).retrying(.times(1, backoff: second))
    let query = Custom("words", policy)
    world.store.prefetch(query)
    world.service.fail("words")
    await world.sleeps(for: .seconds(1))
    world.clock.advance(by: .seconds(1))
    await world.fail("words")
    #expect(world.cache[query].error == failure)
    #expect(world.service.calls.values == ["words", "words"])
  }
}
