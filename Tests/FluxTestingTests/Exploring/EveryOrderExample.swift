import FluxAsync
import FluxCore
import FluxTesting

struct Browser: FluxState, Equatable {
  var isOpen = true
  var films: [String] = []
  var hasFailed = false
}

struct SearchFilms: TaskAction {
  let words: String

  func execute(in context: TaskContext<Browser>) async throws {
    let service = try context.services((any FilmService).self)
    context.dispatch(ShowFilms(films: try await service.films(about: words)))
  }
}

struct ShowFilms: Action {
  let films: [String]
}

struct CloseBrowser: Action {}

struct FixedSearch: TaskAction {
  let words: String
  var policy: WorkPolicy { .latest }

  func execute(in context: TaskContext<Browser>) async throws {
    let service = try context.services((any FilmService).self)
    context.dispatch(ShowFilms(films: try await service.films(about: words)))
  }
}

struct HurriedSearch: TaskAction {
  let words: String
  var policy: WorkPolicy { .latest.timingOut(after: .seconds(1)) }

  func execute(in context: TaskContext<Browser>) async throws {
    let service = try context.services((any FilmService).self)
    context.dispatch(ShowFilms(films: try await service.films(about: words)))
  }
}

/// A save that waits for a value that does not come.
struct SaveFilms: TaskAction {
  let number: Int
  var policy: WorkPolicy { .queue }

  func execute(in context: TaskContext<Browser>) async throws {
    let (answers, continuation) = AsyncStream<Never>.makeStream()
    for await _ in answers {}
    withExtendedLifetime(continuation) {}
  }
}

protocol FilmService: Sendable {
  func films(about words: String) async throws -> [String]
}

struct HeldFilms: FilmService {
  let run: ExplorationRun

  func films(about words: String) async throws -> [String] {
    try await run.answer(to: "films about \(words)") { ["a film about \(words)"] }
  }
}

private func browserReducer(state: inout Browser, action: any Action) {
  switch action {
  case let action as ShowFilms: if state.isOpen { state.films = action.films }
  case is CloseBrowser: (state.isOpen, state.films) = (false, [])
  case is WorkFailed: state.hasFailed = true
  default: break
  }
}

extension ExplorationRun {
  func browser() -> TestStore<Browser> {
    store(
      reducer: browserReducer,
      services: Services().with(HeldFilms(run: self), as: (any FilmService).self),
      state: Browser())
  }
}

struct SearchApp {
  private let store: Store<Browser>

  init(service: any FilmService, plugins: [Plugin<Browser>]) {
    store = Store(
      reducer: browserReducer, plugins: plugins,
      services: Services().with(service, as: (any FilmService).self), state: Browser())
  }

  func search(for words: String) { store.dispatch(FixedSearch(words: words)) }
  func close() { store.dispatch(CloseBrowser()) }
}
