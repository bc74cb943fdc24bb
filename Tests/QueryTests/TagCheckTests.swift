import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("The check for tags of unknown types", .unlessItHangs)
struct TagCheckTests {
  private let service = Service()
  private let problems = Recorder<UnknownTag>()

  private func store(types: Set<String>) -> Store<AppState> {
    let problems = problems
    return Store(
      reducer: appReducer,
      plugins: [
        QuerySlice(at: \AppState.queries).plugin,
        .tagCheck(types: types, evenInRelease: true) { problems.record($0) },
      ], services: Services().with(service), state: AppState())
  }

  @Test("known types are not reported")
  func known() async throws {
    let store = store(types: ["Film"])
    service.answer("film 7", with: .success("Playtime"))
    _ = try await store.fetch(FilmByID(id: 7))
    store.dispatch(InvalidateTags(.type("Film", id: 8), .list("Film")))
    #expect(problems.values == [])
  }

  @Test("an unknown type that a query provides is reported with the query")
  func provided() async throws {
    let store = store(types: ["Movie"])
    service.answer("film 7", with: .success("Playtime"))
    _ = try await store.fetch(FilmByID(id: 7))
    while problems.count < 1 { await Task.yield() }
    #expect(problems.values.map(\.tag) == [.type("Film", id: 7)])
    #expect(problems.values.map(\.use) == [.provided])
    #expect(
      problems.values.first?.description == """
        Flux check: FilmByID(id: 7) provides the tag Film(7), but "Film" is not one of the known types. \
        If the name is correct, add it to the types of the check.
        """)
  }

  @Test("an unknown type that an action or a mutation invalidates is reported once")
  func invalidated() async throws {
    let store = store(types: ["Film"])
    store.dispatch(InvalidateTags(.type("Flim", id: 7)))
    store.dispatch(InvalidateTags(.list("Flim")))
    service.answer("change", with: .success(""))
    _ = try await store.mutate(Change(name: "change", tags: [.type("Films")])).value
    while problems.count < 2 { await Task.yield() }
    #expect(problems.values.map(\.tag) == [.type("Flim", id: 7), .type("Films")])
    #expect(problems.values.map(\.use) == [.invalidated, .invalidated])
  }

  @Test("the tags of failures, of written results, and of entities are checked")
  func otherTags() async throws {
    let store = store(types: [])
    service.fail("film 7")
    _ = try? await store.fetch(FilmByID(id: 7))
    service.fail("change")
    _ = await store.mutate(Change(name: "change", tagsOfFailure: [.type("Change")])).result
    store.write([Book(id: 1, title: "Emma")], to: BookList(name: "new"))
    while problems.count < 4 { await Task.yield() }
    #expect(problems.values.map(\.tag.type) == ["Film", "Change", "BookList", "Book"])
    #expect(problems.values.map(\.use) == [.provided, .invalidated, .provided, .provided])
  }
}
