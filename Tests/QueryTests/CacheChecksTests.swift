import FluxAsync
import FluxCore
import FluxMiddleware
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Checks of a store with queries", .unlessItHangs)
struct CacheChecksTests {
  private struct Unhandled: Action {}

  private let service = Service()
  private let problems = Recorder<String>()
  private let errors = Recorder<String>()

  /// Creates a store with the development checks at either end of the plug-ins.
  private func store(checksFirst: Bool, hasCache: Bool = true) -> Store<AppState> {
    let checks = Plugin<AppState>.developmentChecks(
      .unhandledActions, clock: ManualClock(), evenInRelease: true,
      report: { [problems] in problems.record("\($0.actionType)") })
    let settings = Plugin<AppState>.asyncWork(
      clock: ManualClock(),
      onError: { [errors] error, action in errors.record("\(type(of: action)): \(error)") })
    let cache = hasCache ? [QuerySlice(at: \AppState.queries).plugin] : []
    let plugins = [settings] + (checksFirst ? [checks] + cache : cache + [checks])
    return Store(
      reducer: appReducer, plugins: plugins, services: Services().with(service).with(Sockets()),
      state: AppState())
  }

  /// Actions of the cache, each of which changes nothing in an empty cache.
  private static let withoutEffect: [any Action] = [
    InvalidateTags(.type("Film")), RemoveQueries(FilmByID(id: 7)), AppActivity.online,
    ResetMutation("rename"), ResetQueries(),
  ]

  @Test("an action that the cache handles is not reported as unhandled", arguments: [false, true])
  func handled(checksFirst: Bool) async throws {
    let store = store(checksFirst: checksFirst)
    for action in Self.withoutEffect { store.dispatch(action) }
    service.answer("film 7", with: .success("Playtime"))
    let film = try await store.fetch(FilmByID(id: 7))
    store.write(film, to: FilmByID(id: 7))
    store.edit([.edit(FilmByID(id: 7)) { $0.title = "Playtime" }]).undo()
    service.answer("rename 7 to Playtime", with: .success("Playtime"))
    _ = try await store.mutate(Rename(id: 7, title: "Playtime")).value
    #expect(problems.values.isEmpty)
    store.dispatch(Unhandled())
    #expect(problems.values == ["Unhandled"])
    #expect(errors.values.isEmpty)
  }

  @Test("an action of a cache that a store does not have is reported as an error", arguments: [false, true])
  func missingCache(checksFirst: Bool) {
    let store = store(checksFirst: checksFirst, hasCache: false)
    for action in Self.withoutEffect { store.dispatch(action) }
    store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    store.edit([.edit(FilmByID(id: 7)) { $0.title = "Playtime" }])
    store.prefetch(FilmByID(id: 7))
    store.mutate(Rename(id: 7, title: "Playtime"))
    let types = [
      "InvalidateTags", "RemoveQueries", "AppActivity", "ResetMutation", "ResetQueries", "WriteQuery",
      "EditQueries", "FetchQuery", "PerformMutation",
    ]
    #expect(errors.values == types.map { "\($0): \(QueryFailure(.noCache))" })
    #expect(problems.values.isEmpty)
  }
}
