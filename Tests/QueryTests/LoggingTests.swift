import FluxAsync
import FluxCore
import FluxMiddleware
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries in logs", .unlessItHangs)
struct QueryLoggingTests {
  private let service = Service()
  private let lines = Recorder<String>()
  private let store: Store<AppState>

  init() {
    let lines = lines
    store = Store(
      reducer: appReducer,
      plugins: [
        QuerySlice(at: \AppState.queries).plugin,
        .logging(buffer: 0, sink: LogSink { lines.record($0) }),
      ], services: Services().with(service), state: AppState())
  }

  @Test("a log line names the query and the changed properties of its entry")
  func entry() async throws {
    service.answer("film 7", with: .success("Playtime"))
    _ = try await store.fetch(FilmByID(id: 7))
    let pending = try #require(lines.values.dropFirst().first)
    #expect(pending.contains("FetchQuery.Pending(#1 FilmByID(id: 7)) queries.entries[FilmByID(id: 7)]"))
    let fulfilled = try #require(lines.values.last)
    let entry = "queries.entries[FilmByID(id: 7)]"
    #expect(fulfilled.contains("\(entry).value: nil → Film(id: 7, title: \"Playtime\")"))
    #expect(fulfilled.contains("\(entry).request: #1 → nil"))
    #expect(fulfilled.contains("\(entry).tags: + Film(7)"))
  }

  @Test("a redaction describes a key as its query")
  func redactedKey() {
    #expect(Redaction.fields("id").text(of: QueryKey(FilmByID(id: 7))) == "FilmByID(id: •••)")
  }

  @Test("a log line of a mutation shows the edit")
  func edit() async throws {
    service.answer("film 7", with: .success("Playtime"))
    _ = try await store.fetch(FilmByID(id: 7))
    let mutation = store.mutate(Rename(id: 7, title: "Traffic"))
    let pending = try #require(lines.values.last)
    #expect(pending.contains("PerformMutation.Pending(#2 Rename(id: 7, title: \"Traffic\"))"))
    #expect(pending.contains("title: \"Playtime\" → \"Traffic\""))
    mutation.abort()
  }
}
