import FluxAsync
import FluxCore
import FluxMiddleware
import FluxQuery
import FluxTesting
import Foundation
import TestSupport
import Testing

/// A title that is kept in the cache without subscribers.
private struct Title: SavedQuery {
  let id: Int

  var lifetimeWithoutSubscribers: Duration? { nil }

  func fetch(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("title \(id)")
  }

  func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Title", id: id)] }
}

/// The number of titles, whose type had another name when it was saved first.
private struct CountOfTitles: SavedQuery {
  static let savedName = "Count"

  func fetch(in context: RequestContext<AppState>) async throws -> Int {
    Int(try await context.services(Service.self).call("count")) ?? 0
  }
}

/// A mutation that shows another title.
private struct Retitle: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("retitle")
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(Title(id: 7)) { $0 = "unconfirmed" }] }
}

extension AppState {
  fileprivate var saved: SavedQueries<Title, CountOfTitles> {
    get { SavedQueries(of: queries) }
    set { newValue.restore(in: &queries) }
  }
}

@Suite("Queries that are saved", .unlessItHangs)
struct SavedQueryTests {
  private let world = World()

  private func load() async {
    world.store.prefetch(Title(id: 7))
    await world.answer("title 7", "Playtime")
    world.store.prefetch(CountOfTitles())
    await world.answer("count", "3")
  }

  private var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(world.store.state.saved), as: UTF8.self)
    }
  }

  private func decoded(_ json: String) throws -> QueryCache {
    var state = AppState()
    state.saved = try JSONDecoder().decode(SavedQueries<Title, CountOfTitles>.self, from: Data(json.utf8))
    return state.queries
  }

  // MARK: Encoding

  @Test("results are encoded under the names of the types of their queries")
  func encoding() async throws {
    await load()
    #expect(
      try json == #"{"Count":[{"query":{},"value":3}],"Title":[{"query":{"id":7},"value":"Playtime"}]}"#)
  }

  @Test("only results of the given types are encoded")
  func otherTypes() async throws {
    await world.load(7, "Playtime")
    #expect(try json == #"{"Count":[],"Title":[]}"#)
  }

  @Test("entries without a result, and edits that are not confirmed, are not encoded")
  func unconfirmed() async throws {
    await load()
    world.store.prefetch(Title(id: 8))
    world.store.mutate(Retitle())
    #expect(world.cache[Title(id: 7)].data == "unconfirmed")
    #expect(try json.contains(#""Title":[{"query":{"id":7},"value":"Playtime"}]"#))
  }

  @Test("missing types are decoded as no results, and unknown types are ignored")
  func missing() throws {
    #expect(try decoded("{}").entries.isEmpty)
    #expect(try decoded(#"{"Film":[{"query":{},"value":1}]}"#).entries.isEmpty)
  }

  @Test("a result that cannot be decoded throws an error")
  func undecodable() {
    #expect(throws: DecodingError.self) { try decoded(#"{"Title":[{"query":{"id":7},"value":1}]}"#) }
  }

  // MARK: Restoring

  @Test("a restored result is shown, is out of date, and provides its tags")
  func restored() async throws {
    await load()
    let cache = try decoded(try json)
    #expect(cache[Title(id: 7)].data == "Playtime")
    #expect(cache[Title(id: 7)].isInvalidated)
    #expect(cache[Title(id: 7)].fulfilledAt == nil)
    #expect(cache[CountOfTitles()].data == 3)
    #expect(cache.keys(providing: .type("Title")) == [QueryKey(Title(id: 7))])
  }

  @Test("a restored result is fetched again when it is observed, and not before")
  func fetchedAgain() async throws {
    await load()
    var state = AppState()
    state.queries = try decoded(try json)
    let later = World(state: state)
    #expect(later.cache.pendingRequests == 0)
    let titles = Recorder<String?>()
    let observer = later.store.observe(Title(id: 7), of: \.data) { titles.record($0) }
    #expect(titles.values == ["Playtime"])
    #expect(later.cache[Title(id: 7)].isFetching)
    await later.answer("title 7", "Traffic")
    #expect(titles.values == ["Playtime", "Traffic"])
    #expect(!later.cache[Title(id: 7)].isInvalidated)
    withExtendedLifetime(observer) {}
  }

  @Test("a restoration does not replace results that the cache already contains")
  func newerResult() async throws {
    await load()
    let old = world.store.state.saved
    world.store.write("Traffic", to: Title(id: 7))
    var state = world.store.state
    state.saved = old
    #expect(state.queries[Title(id: 7)].data == "Traffic")
    #expect(!state.queries[Title(id: 7)].isInvalidated)
  }

  @Test("a result that is restored during the first request is shown until the request is answered")
  func duringRequest() async throws {
    await load()
    let later = World()
    let titles = Recorder<String?>()
    let observer = later.store.observe(Title(id: 7), of: \.data) { titles.record($0) }
    var state = later.store.state
    state.saved = world.store.state.saved
    later.store.dispatch(Replace(state: state))
    await later.answer("title 7", "Traffic")
    #expect(titles.values == [nil, "Playtime", "Traffic"])
    #expect(!later.cache[Title(id: 7)].isInvalidated)
    withExtendedLifetime(observer) {}
  }

  @Test("an edit that began before a restoration applies to the restored result until it fails")
  func editedBefore() async throws {
    await load()
    let later = World()
    later.store.mutate(Retitle())
    var state = later.store.state
    state.saved = world.store.state.saved
    later.store.dispatch(Replace(state: state))
    #expect(later.cache[Title(id: 7)].data == "unconfirmed")
    await later.fail("retitle")
    #expect(later.cache[Title(id: 7)].data == "Playtime")
  }

  @Test("a restored result without subscribers is removed after its lifetime")
  func lifetime() async throws {
    await load()
    var state = AppState()
    state.queries = try decoded(try json)
    let later = World(state: state)
    later.clock.advance(by: .seconds(60))
    await later.until { $0.queries.entries.count == 1 }
    #expect(later.cache.entries.map(\.id) == [QueryKey(Title(id: 7))])
  }

  @Test("a persistence saves results, and restores them at the next start")
  func persistence() async throws {
    let storage = InMemoryStorage()
    let service = Service()
    let first = Persistence(of: \AppState.saved, in: storage)
    let store = Store(
      reducer: appReducer, plugins: [first.plugin, QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(service), state: first.restored(AppState()))
    store.prefetch(Title(id: 7))
    service.answer("title 7", with: .success("Playtime"))
    for await state in store.states where state.queries.pendingRequests == 0 { break }
    try await first.flush()
    let second = Persistence(of: \AppState.saved, in: storage)
    #expect(second.restored(AppState()).queries[Title(id: 7)].data == "Playtime")
  }
}
