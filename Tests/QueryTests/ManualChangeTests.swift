import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: manual edits and written results", .unlessItHangs)
struct ManualChangeTests {
  private let world = World()
  private let written = Film(id: 7, title: "written")

  // MARK: Edits

  @Test("a manual edit during a refetch is shown immediately, and the answer replaces it")
  func editDuringRefetch() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.refetch()
    world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "edited" }])
    #expect(observer.state.data?.title == "edited")
    #expect(observer.state.currentData?.title == "edited")
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
  }

  @Test("a manual edit does not change the provided tags, and neither does undoing the edit")
  func tags() async {
    world.store.prefetch(AllFilms())
    await world.answer("films", "Playtime")
    let undo = world.store.edit([.edit(AllFilms()) { $0.append(Film(id: 9, title: "Traffic")) }])
    #expect(world.cache[AllFilms()].data?.count == 2)
    let tags: Set<QueryTag> = [.type("Film", id: 1), .list("Film")]
    #expect(world.cache.entries.first?.tags == tags)
    #expect(world.cache.keys(providing: .type("Film", id: 9)) == [])
    undo.undo()
    #expect(world.cache[AllFilms()].data?.count == 1)
    #expect(world.cache.entries.first?.tags == tags)
  }

  @Test("the failure of an optimistic edit causes no request, and a later refetch shows the server's result")
  func failedEdit() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.mutate(Rename(id: 7, title: "Traffic"))
    #expect(observer.state.data?.title == "Traffic")
    await world.fail("rename 7 to Traffic")
    #expect(observer.state.data?.title == "Playtime")
    #expect(world.service.calls.values.sorted() == ["film 7", "rename 7 to Traffic"])
    observer.refetch()
    await world.answer("film 7", "Mon oncle")
    #expect(observer.state.data?.title == "Mon oncle")
  }

  @Test("a manual edit of pages remains when a request fails, and the next result replaces it")
  func editOfPages() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .always)
    world.store.edit([.edit(Catalog()) { pages in pages[0][0] = "edited" }])
    await world.fail("page 1")
    #expect(world.words() == "edited b")
    await world.load(.always, ("page 1", "A B"))
    #expect(world.words() == "A B")
  }

  // MARK: Written results

  @Test("a written result creates an entry without a request, and a second written result replaces it")
  func writtenTwice() {
    world.store.write(Film(id: 7, title: "first"), to: FilmByID(id: 7))
    world.store.write(written, to: FilmByID(id: 7))
    let (observer, states) = world.observe(7)
    #expect(states.values.map(\.data) == [written])
    #expect(!observer.state.isFetching)
    #expect(world.cache.entries.count == 1)
  }

  @Test("a written result replaces a known result for its observers")
  func writtenOverResult() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    world.store.write(written, to: FilmByID(id: 7))
    #expect(states.values.map(\.data) == [written])
    #expect(world.service.calls.values == ["film 7"])
    withExtendedLifetime(observer) {}
  }

  @Test("a written result replaces the failure of the first request")
  func writtenOverFailure() async {
    let (observer, states) = world.observe(7)
    await world.fail("film 7")
    #expect(observer.state.error != nil)
    _ = states.takeAll()
    world.store.write(written, to: FilmByID(id: 7))
    #expect(states.values.map(\.data) == [written])
    #expect(observer.state.isSuccess && observer.state.error == nil)
  }

  /// A list of films that also writes the result of each film.
  private struct FilmsWithDetails: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> [Int] {
      let titles = try await context.services(Service.self).call("details").split(separator: " ")
      let films = titles.enumerated().map { Film(id: $0.offset + 1, title: String($0.element)) }
      for film in films { context.store.write(film, to: FilmByID(id: film.id)) }
      return films.map(\.id)
    }
  }

  @Test("a query writes the results of other queries, including a query whose request is running")
  func writtenByQuery() async {
    let (observer, states) = world.observe(2)
    await world.service.calls.count(atLeast: 1)
    world.store.prefetch(FilmsWithDetails())
    await world.answer("details", "Playtime Traffic")
    #expect(world.film(1).data?.title == "Playtime")
    #expect(observer.state.data?.title == "Traffic")
    #expect(states.values.map(\.isFetching) == [true, false])
    #expect(world.cache[FilmsWithDetails()].data == [1, 2])
    await world.service.cancelled.count(atLeast: 1)
    #expect(world.service.cancelled.values == ["film 2"])
  }
}
