import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Mutations: invalidated tags", .unlessItHangs)
struct InvalidatingMutationTests {
  private let world = World()

  /// A query that provides a tag.
  private struct Tagged: Query {
    let name: String
    let tag: QueryTag

    func fetch(in context: RequestContext<AppState>) async throws -> String {
      try await context.services(Service.self).call(name)
    }

    func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [tag] }
  }

  private static let tags: [QueryTag] = [
    .type("Film"), .list("Film"), .type("Film", id: 1), .type("Film", id: 2), .type("Actor", id: 1),
  ]

  @Test(
    "an invalidation of a type matches all tags of the type, and another invalidation only the same tag",
    arguments: tags, tags)
  func matches(provided: QueryTag, invalidated: QueryTag) async {
    let query = Tagged(name: "query", tag: provided)
    let other = Tagged(name: "other", tag: .type("Other"))
    let observers = [query, other].map { world.store.observe($0) { _ in } }
    world.service.answer("query")
    await world.answer("other", "")
    let change = world.store.mutate(Change(name: "change", tags: [invalidated]))
    world.service.answer("change")
    _ = await change.result
    await world.until { _ in true }
    let isMatch = invalidated == provided || invalidated == .type("Film") && provided.type == "Film"
    #expect(world.cache[query].isFetching == isMatch)
    #expect(world.cache.pendingRequests == (isMatch ? 1 : 0))
    withExtendedLifetime(observers) {}
  }

  @Test("a mutation that invalidates the tags of a failure causes another request, which clears the error")
  func afterFailure() async {
    let (observer, _) = world.observe(7)
    await world.fail("film 7")
    #expect(observer.state.error != nil)
    world.store.mutate(Change(name: "change", tags: [.type("Film", id: 7)]))
    world.service.answer("change")
    await world.service.calls.count(atLeast: 3)
    await world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
    #expect(observer.state.error == nil)
    #expect(world.service.calls.values == ["film 7", "change", "film 7"])
  }
}
