import Flux
import FluxNavigation
import Testing

// The values that generic code of Flux compares and encodes are not isolated.
nonisolated struct Film: Codable, Hashable, Identifiable {
  let id: Int
  var title: String
}

nonisolated enum Route: Hashable, Codable {
  case list
  case film(Int)
}

protocol FilmService: Sendable {
  func film(_ id: Int) async throws -> Film
}

struct NumberedFilms: FilmService {
  func film(_ id: Int) async throws -> Film { Film(id: id, title: "Film \(id)") }
}

struct CinemaState: FluxState {
  var queries = QueryCache()
  var films = ListState<Film>()
  var routes = RouteStack(root: Route.list)
  var titles: [String] = []
}

struct SetTitle: Action { let title: String }

struct LoadTitle: TaskAction {
  let id: Int
  var policy: WorkPolicy { .latest }

  func execute(in context: TaskContext<CinemaState>) async throws {
    let film = try await context.services((any FilmService).self).film(id)
    context.dispatch(SetTitle(title: film.title))
  }
}

struct LoadFilm: AsyncRequest {
  let id: Int

  func perform(in context: RequestContext<CinemaState>) async throws -> Film {
    try await context.services((any FilmService).self).film(id)
  }
}

struct FilmByID: Query {
  let id: Int

  func fetch(in context: RequestContext<CinemaState>) async throws -> Film {
    try await context.services((any FilmService).self).film(id)
  }
}

struct OneFilm: AnyListRepository {
  func fetch() async throws -> [Film] { [Film(id: 1, title: "Film 1")] }
}

let cinemaReducer = ActionHandlers<CinemaState> {
  on(SetTitle.self) { state, action in state.titles.append(action.title) }
  on(LoadFilm.Fulfilled.self) { state, loaded in state.titles.append(loaded.value.title) }
}

@Suite("Work in a client with main-actor isolation by default")
struct WorkOnTheMainActor {
  @Test("tasks, requests, queries, lists, listeners, and routes are used without isolation errors")
  func works() async throws {
    let queries = QuerySlice(at: \CinemaState.queries)
    let routing = RouteSlice(at: \CinemaState.routes)
    let films = ListSlice("Films", at: \CinemaState.films, from: OneFilm())
    let store = Store(
      reducer: combine(films.reducer, cinemaReducer),
      plugins: [
        queries.plugin, routing.plugin,
        .listeners { listeners in
          listeners.start(of: LoadFilm.Fulfilled.self) { _, listener in
            listener.dispatch(SetTitle(title: "heard"))
          }
        },
      ],
      services: Services { $0.register(NumberedFilms(), as: (any FilmService).self) }, state: CinemaState())

    await store.dispatchAsync(LoadTitle(id: 2)).finished()
    await store.dispatchAsync(LoadFilm(id: 3)).finished()
    await store.dispatchAsync(films.reload).finished()
    store.dispatch(routing.push(.film(1)))

    #expect(try await store.fetch(FilmByID(id: 4)).title == "Film 4")
    #expect(store.state.titles == ["Film 2", "Film 3", "heard"])
    #expect(store.state.films.items.map(\.title) == ["Film 1"])
    #expect(store.state.routes.path.map(\.route) == [.film(1)])
  }
}
