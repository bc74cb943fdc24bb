import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Lifetimes of captured values in queries", .unlessItHangs)
struct QueryLifetimeTests {
  private static func makeStore() -> Store<AppState> {
    Store(reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin], state: AppState())
  }

  private static let keepers = [
    Keeper("QueryEdit") { touch in
      let store = makeStore()
      store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
      let edit = QueryEdit.edit(FilmByID(id: 7)) { film in
        touch()
        film.title = "Traffic"
      }
      store.edit([edit]).undo()
      return [edit, store]
    },
    Keeper("QueryObserver") { touch in
      let store = makeStore()
      let observer = store.observe(nil as FilmByID?) { _ in touch() }
      return [observer, store]
    },
  ]

  @Test("a closure is kept as long as its owner", arguments: keepers)
  @MainActor
  func kept(keeper: Keeper) async {
    await keeper.expectRelease()
  }

  private struct Word: StreamingQuery {
    let hasUpdate: @Sendable () -> Void

    func fetch(in context: RequestContext<AppState>) async throws -> String { "word" }

    func stream(to entry: QueryUpdates<Word>) async throws {
      entry.update { [hasUpdate] word in
        hasUpdate()
        word = "update"
      }
    }

    static func == (first: Word, second: Word) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  @Test("QueryUpdates release the closure of an update when it was applied, and the query with its entry")
  func updates() async {
    let tracker = LifetimeTracker()
    do {
      let tracked = tracker.make()
      let store = Self.makeStore()
      let query = Word(hasUpdate: { tracked.touch() })
      for await state in store.values(of: query) where state.data == "update" { break }
      #expect(tracker.alive == 1)
    }
    while tracker.alive > 0 { await Task.yield() }
    #expect(tracker.alive == 0)
  }
}
