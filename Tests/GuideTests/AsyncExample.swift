// The declarations of AsyncActions.md, which `AsyncGuideTests` compares with the page word for
// word.
import Flux

struct Library: FluxState, Equatable {
  var query = ""
  var found: [String] = []
  var films: [Int: String] = [:]
  var loading: Set<Int> = []
}

struct SetQuery: Action {
  let text: String
}

struct Found: Action {
  let titles: [String]
}

struct Search: TaskAction {
  let text: String
  var policy: WorkPolicy { .latest.debounced(for: .milliseconds(300)) }

  func execute(state: Library, dispatch: @escaping DispatchFunction) async throws {
    dispatch(Found(titles: try await titles(matching: text)))
  }
}

struct LoadFilm: AsyncRequest {
  let id: Int
  var policy: WorkPolicy { .every.retrying(.times(3)).timingOut(after: .seconds(5)) }

  func isWanted(in state: Library) -> Bool {
    state.films[id] == nil && !state.loading.contains(id)
  }

  func perform(in context: RequestContext<Library>) async throws -> String {
    await titleFromServer(id)
  }
}

let libraryReducer = ActionHandlers<Library> {
  on(SetQuery.self) { library, action in library.query = action.text }
  on(Found.self) { library, action in library.found = action.titles }
  on(LoadFilm.Pending.self) { library, action in library.loading.insert(action.request.id) }
  on(LoadFilm.Fulfilled.self) { library, action in
    library.loading.remove(action.request.id)
    library.films[action.request.id] = action.value
  }
  on(LoadFilm.Rejected.self) { library, action in library.loading.remove(action.request.id) }
}

struct ServiceFailure: Error, Equatable {
  let reason: String
}

protocol ServiceRequest: AsyncRequest where State == Library, Failure == ServiceFailure {
  associatedtype Value

  func ask() async throws -> Value
}

extension ServiceRequest {
  func perform(in context: RequestContext<Library>) async throws(ServiceFailure) -> Value {
    do {
      return try await ask()
    } catch {
      throw ServiceFailure(reason: "\(error)")
    }
  }
}

struct CountFilms: ServiceRequest {
  func ask() async throws -> Int { try await titles(matching: "").count }
}

protocol FilmService: Sendable {
  func newTitles() async throws -> [String]
}

struct FindNewTitles: TaskAction {
  func execute(in context: TaskContext<Library>) async throws {
    let films = try context.services((any FilmService).self)
    context.dispatch(Found(titles: try await films.newTitles()))
  }
}

let clear = ActionPlan<Library> { store in
  store.dispatch(SetQuery(text: ""))
  store.dispatch(Found(titles: []))
}

let keepSearching = ActionPlan<Library> { store in
  for await query in store.values(of: \.query).debounced(for: .milliseconds(300)) {
    store.dispatch(Found(titles: try await titles(matching: query)))
  }
}

func newTitles(matching text: String) -> AsyncStream<[String]> {
  AsyncStream { continuation in
    continuation.yield(["New: \(text)"])
    continuation.finish()
  }
}

let newTitlesOfQuery = Plugin<Library>.keep(while: { $0.query.isEmpty ? nil : $0.query }) { query, store in
  for await titles in newTitles(matching: query) { store.dispatch(Found(titles: titles)) }
}
