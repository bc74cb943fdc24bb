import FluxAsync
import FluxCore
import FluxLists
import FluxQuery
import TestSupport
import Testing

@Suite("Sources/FluxQuery/FluxQuery.docc/Queries.md", .unlessItHangs)
struct QueryGuideTests {
  private struct Server: FilmService {
    func film(_ id: Int) async throws -> Film { Film(id: id, title: "Playtime") }
    func films(about words: String) async throws -> [Film] { [Film(id: 7, title: words)] }
    func newest(limit: Int, offset: Int) async throws -> [Film] {
      (offset..<min(offset + limit, 30)).map { Film(id: $0, title: "Film \($0)") }
    }
    func rename(_ id: Int, to title: String) async throws -> Film { Film(id: id, title: title) }
    func person(_ id: Int) async throws -> Person { Person(id: id, name: "Person \(id)") }
    func cast(of film: Int) async throws -> [Person] { [Person(id: 3, name: "Tati")] }
    func comments(on film: Int) async throws -> [String] { ["Great"] }

    func newComments(on film: Int) -> AsyncStream<String> {
      AsyncStream { continuation in
        continuation.yield("Great")
        continuation.yield("Again!")
      }
    }
  }

  @Test("its queries are fetched, shown, changed, and updated", .stoppedTime)
  func examples() async throws {
    let appReducer = ActionHandlers<AppState> { on(InvalidateTags.self) { _, _ in } }
    let service: any FilmService = Server()
    let queries = Self.queries
    let store = Store(
      reducer: appReducer, plugins: [queries.plugin],
      services: Services().with(service, as: (any FilmService).self), state: AppState())

    func untilQuiet() async {
      for await state in store.states where state.queries.pendingRequests == 0 { return }
    }

    let observer = observe(in: store)
    while shown.count < 2 { await Task.yield() }
    #expect(shown.values == ["…", "Playtime"])
    observer.query = FilmByID(id: 8)
    observer.query = nil
    await untilQuiet()
    #expect(observer.state.data?.title == "Playtime")

    store.dispatch(AppActivity.online)

    let films = try await store.fetch(FilmsAbout(words: "Tati"))
    #expect(films.map(\.title) == ["Tati"])
    let renamed = try await store.mutate(RenameFilm(id: 7, title: "Mon oncle")).value
    #expect(store.state.queries[FilmByID(id: 7)].data == renamed)

    _ = try await store.fetch(NewestFilms())
    let pages = try await store.fetch(NewestFilms(), .nextPage)
    #expect(pages.map(\.items.count) == [20, 10])
    #expect(!store.state.queries[NewestFilms()].hasNextPage)

    let cast = try await store.fetch(CastOfFilm(film: 7))
    #expect(store.state.queries[PersonByID(id: 3)].data == cast.first)
    store.edit([.edit(PersonByID(id: 3)) { person in person.name = "Jacques Tati" }])
    #expect(store.state.queries[CastOfFilm(film: 7)].data?.first?.name == "Jacques Tati")

    for await comments in store.values(of: CommentsOfFilm(film: 7)) where comments.data?.count == 2 {
      #expect(comments.data == ["Great", "Again!"])
      break
    }
  }

  private let shown = Recorder<String>()

  private func show(_ title: String?, isLoading: Bool, _ error: QueryFailure?) {
    shown.record(isLoading ? "…" : title ?? error?.description ?? "-")
  }

  private func observe(in store: Store<AppState>) -> QueryObserver<FilmByID> {
    let observer = store.observe(FilmByID(id: 7)) { film in
      show(film.data?.title, isLoading: film.isLoading, film.error)
    }
    return observer
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxQuery/FluxQuery.docc/Queries.md").expectTested(
      in: "Tests/QueryTests/QueryGuideExample.swift", "Tests/QueryTests/QueryGuideTests.swift",
      "Tests/SwiftUIFace/Tests/Guide/QueryExample.swift", atLeast: 14)
  }
}
