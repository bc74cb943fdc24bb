import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@testable import FluxQuery

/// The rules for a cache that an action restores while another action is being dispatched.
///
/// A request has ended when the action of its outcome was dispatched. Until then, the restored
/// cache can contain the request again.
@Suite("Queries in a state that is restored at any moment", .unlessItHangs)
struct RestoredMomentTests {
  /// The place that dispatches the action that restores a cache.
  enum Place: CaseIterable, Sendable {
    case middlewareBeforeReducer, middlewareAfterReducer, observer
  }

  /// A moment of a program, and the cache that is restored then.
  struct Moment: Sendable {
    let place: Place
    /// The number of the action that is being dispatched.
    let action: Int
    /// The number of actions that precede the restored cache.
    let restored: Int
  }

  private struct Screen: FluxState, Hashable {
    var queries = QueryCache()
    /// The actions, which distinguish states whose caches are equal.
    var actions: [String] = []

    func hash(into hasher: inout Hasher) {
      hasher.combine(actions)
    }
  }

  private struct Restore: Action {
    let cache: QueryCache
  }

  private struct Title: Query {
    let id: Int

    func fetch(in context: RequestContext<Screen>) async throws -> String {
      try await context.services(Server.self).run.answer(to: "title \(id)") { "Playtime" }
    }

    func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Title", id: id)] }
  }

  private struct Rename: Mutation {
    let id: Int

    func perform(in context: RequestContext<Screen>) async throws {
      try await context.services(Server.self).run.answer(to: "rename \(id)") {}
    }

    func optimisticEdits() -> [QueryEdit] { [.edit(Title(id: id)) { $0 = "Traffic" }] }

    func invalidatedTags(for result: Result<Void, QueryFailure>) -> Set<QueryTag> { [.type("Title", id: id)] }
  }

  private struct Server: Sendable {
    let run: ExplorationRun
  }

  /// The caches after each action, and whether the moment has passed.
  private final class Past: Sendable {
    private let moment: Moment?
    let caches = Shared([QueryCache()])
    private let hasPassed = Shared(false)

    init(_ moment: Moment?) {
      self.moment = moment
    }

    /// The number of actions that were reduced.
    var count: Int { caches.value.count - 1 }

    /// Returns the action that restores a cache, if the moment is now.
    func restoring(at place: Place, during action: Int) -> Restore? {
      guard let moment, moment.place == place, moment.action == action, !hasPassed.exchange(true) else {
        return nil
      }
      return Restore(cache: caches.value[moment.restored])
    }
  }

  /// Observes two titles and renames one of them, while the cache is restored at a moment.
  private static func program(_ run: ExplorationRun, _ past: Past) throws {
    let restoring: Middleware<Screen> = { dispatch, state in
      { next in
        { action in
          guard !(action is Restore) else { return next(action) }
          let number = past.count + 1
          if let restore = past.restoring(at: .middlewareBeforeReducer, during: number) { dispatch(restore) }
          next(action)
          if let restore = past.restoring(at: .middlewareAfterReducer, during: number) { dispatch(restore) }
        }
      }
    }
    let connected = Shared<StoreProxy<Screen>?>(nil)
    var recording = Plugin<Screen>(wrapReducer: { reducer in
      { screen, action in
        reducer(&screen, action)
        if !(action is Restore) { past.caches.change { $0.append(screen.queries) } }
      }
    })
    recording.onStoreProxy = { connected.value = $0 }
    _ = run.store(
      reducer: { (screen: inout Screen, action) in
        if let action = action as? Restore { screen.queries = action.cache }
        screen.actions.append(action is Restore ? "restore" : "\(action)")
      },
      middleware: [restoring], plugins: [recording, QuerySlice(at: \Screen.queries).plugin],
      services: Services().with(Server(run: run)), state: Screen())
    let store = try #require(connected.value)
    let token = store.subscribe(initial: false) { _ in
      if let restore = past.restoring(at: .observer, during: past.count) { store.dispatch(restore) }
    }
    let observers = [1, 2].map { store.observe(Title(id: $0)) { _ in } }
    run.eventually("nothing is pending") { (screen: Screen) in
      screen.queries.pendingRequests == 0 && screen.queries.contents.value.overlays.isEmpty
    }
    run.eventually("each observed title is current") { (screen: Screen) in
      withExtendedLifetime(token) {}
      return observers.allSatisfy { observer in
        observer.state == screen.queries[observer.query ?? Title(id: 0)]
          && observer.state.currentData == "Playtime" && !observer.state.isInvalidated
      }
    }
    store.mutate(Rename(id: 1))
  }

  @Test("a query with an observer is fetched, and nothing remains pending", arguments: Place.allCases)
  func restored(place: Place) async {
    let count = Shared(0)
    await explore(.random(seed: 0, runs: 1)) { run in
      let past = Past(nil)
      try Self.program(run, past)
      await run.untilQuiet()
      count.value = past.count
    }
    #expect(count.value > 10)
    for action in 1...count.value {
      // The initial cache, and the caches that precede the last two actions.
      for restored in Set([0]).union(max(0, action - 2)..<action) {
        let moment = Moment(place: place, action: action, restored: restored)
        await explore { run in try Self.program(run, Past(moment)) }
      }
    }
  }
}
