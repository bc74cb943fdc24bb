import FluxAsync
import FluxCore
import FluxTesting
import Foundation
import TestSupport

@testable import FluxQuery

struct AppState: FluxState, Equatable {
  var queries = QueryCache()
  var count = 0
}

struct Count: Action {}

/// An action that changes nothing.
private struct Tick: Action {}

/// An action that restores a state, as a history or a persistence plug-in does.
struct Replace: Action {
  let state: AppState
}

let appReducer: ActionHandlers<AppState> = combine(
  on(Count.self) { state, _ in state.count += 1 }, on(Replace.self) { state, action in state = action.state })

struct Film: Hashable, Sendable {
  var id: Int
  var title: String
}

/// A film, whose title is the answer of the service to `film 7`.
struct FilmByID: Query {
  let id: Int

  func fetch(in context: RequestContext<AppState>) async throws -> Film {
    Film(id: id, title: try await context.services(Service.self).call("film \(id)"))
  }

  func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
}

/// A list of films, whose titles are the words of the service's answer to `films`.
struct AllFilms: Query {
  func fetch(in context: RequestContext<AppState>) async throws -> [Film] {
    try await context.services(Service.self).call("films").split(separator: " ").enumerated().map {
      Film(id: $0.offset + 1, title: String($0.element))
    }
  }

  func tags(for result: Result<[Film], QueryFailure>) -> Set<QueryTag> {
    let films = (try? result.get()) ?? []
    return Set(films.map { .type("Film", id: $0.id) } + [.list("Film")])
  }
}

/// A query with its own lifetime and policy.
struct Custom: Query {
  let name: String
  var lifetimeWithoutSubscribers: Duration?
  var attempts = WorkPolicy.every

  var policy: WorkPolicy { attempts }

  init(_ name: String, keptFor lifetime: Duration? = .seconds(60), _ attempts: WorkPolicy = .every) {
    self.name = name
    lifetimeWithoutSubscribers = lifetime
    self.attempts = attempts
  }

  func fetch(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call(name)
  }

  static func == (first: Custom, second: Custom) -> Bool { first.name == second.name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

/// A mutation that renames a film, and shows the new title while it is running.
struct Rename: Mutation {
  let id: Int
  let title: String

  func perform(in context: RequestContext<AppState>) async throws -> Film {
    Film(id: id, title: try await context.services(Service.self).call("rename \(id) to \(title)"))
  }

  func optimisticEdits() -> [QueryEdit] {
    [.edit(FilmByID(id: id)) { film in film.title = title }]
  }
}

/// A mutation that has no optimistic edits, and whose answer and tags a test chooses.
struct Change: Mutation {
  let name: String
  var answerEdits: [QueryEdit] = []
  var tags: Set<QueryTag> = []
  var tagsOfFailure: Set<QueryTag> = []

  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call(name)
  }

  func edits(for value: String) -> [QueryEdit] { answerEdits }

  func invalidatedTags(for result: Result<String, QueryFailure>) -> Set<QueryTag> {
    switch result {
    case .success: tags
    case .failure: tagsOfFailure
    }
  }
}

/// A store with a cache, a service, and a clock.
final class World: Sendable {
  let service: Service
  let sockets = Sockets()
  let clock = ManualClock()
  let actions = Recorder<String>()
  let store: Store<AppState>
  /// The newest state that the observers of queries have received.
  private let delivered: Shared<(state: AppState, thread: ObjectIdentifier)>
  private let token: SubscriptionToken

  /// Creates a store with plug-ins before and after the plug-in of the cache.
  init(
    refetching timing: InvalidationTiming = .whenIdle, state: AppState = AppState(),
    service: Service = Service(), policies: [WorkPolicyRule] = [], middleware: [Middleware<AppState>] = [],
    outerPlugins: [Plugin<AppState>] = [], innerPlugins: [Plugin<AppState>] = []
  ) {
    self.service = service
    let actions = actions
    let recording: Middleware<AppState> = { _, _ in
      { next in
        { action in
          if !(action is Tick) { actions.record("\(action)") }
          next(action)
        }
      }
    }
    store = Store(
      reducer: appReducer, middleware: [recording] + middleware,
      plugins: [.asyncWork(clock: clock, policies: policies)] + outerPlugins
        + [QuerySlice(at: \AppState.queries, refetching: timing).plugin] + innerPlugins,
      services: Services().with(service).with(sockets), state: state)
    // This observer is called after the observer of the plug-in, which calls the observers of
    // queries.
    let delivered = Shared((state: state, thread: ObjectIdentifier(Thread.current)))
    self.delivered = delivered
    token = store.subscribe { delivered.value = ($0, ObjectIdentifier(Thread.current)) }
  }

  var cache: QueryCache { store.state.queries }

  func film(_ id: Int) -> QueryState<Film> { cache[FilmByID(id: id)] }

  /// Waits until the state satisfies a condition, the observers have received the state, and no
  /// other thread is delivering.
  func until(_ condition: (AppState) -> Bool) async {
    while true {
      let state = store.state
      if condition(state), delivered.value.state == state, deliversItself() { return }
      await Task.yield()
    }
  }

  /// Returns a Boolean value that indicates whether a dispatch of this thread is delivered by this
  /// thread, and therefore before the dispatch returns.
  private func deliversItself() -> Bool {
    store.dispatch(Tick())
    return delivered.value.thread == ObjectIdentifier(Thread.current)
  }

  /// Waits until the next deadline of the clock is a given time away.
  ///
  /// The number of sleeping tasks does not show whether a task sleeps, because the timer of an
  /// entry without subscribers continues to sleep after a subscriber was added.
  func sleeps(for duration: Duration) async {
    while clock.nextDeadline != clock.now.advanced(by: duration) { await Task.yield() }
  }

  /// Waits until a film has a number of subscribers, which are not part of the state.
  func subscribers(of id: Int, count: Int) async {
    while store.subscribers(of: FilmByID(id: id)) != count { await Task.yield() }
  }

  /// Waits until no request is running.
  ///
  /// If a request arrives while an earlier request of the query is dispatching its result, the new
  /// request becomes pending later. The state alone does not show that request.
  func settled() async {
    let coordinator = store.proxy.context.queryCoordinator
    await until { state in
      state.queries.pendingRequests == 0
        && !state.queries.entries.contains { coordinator.isRequested($0.id) }
    }
  }

  /// Answers a call, and waits until no request is running.
  func answer(_ call: String, _ answer: String) async {
    service.answer(call, with: .success(answer))
    await settled()
  }

  /// Lets a call fail, and waits until no request is running.
  func fail(_ call: String) async {
    service.fail(call)
    await settled()
  }

  /// Fetches a film, and answers with a title.
  func load(_ id: Int, _ title: String) async {
    store.dispatch(FetchQuery(FilmByID(id: id), .always))
    await answer("film \(id)", title)
  }

  /// Observes a film, and records what the observer receives.
  func observe(_ id: Int, _ options: QueryOptions = QueryOptions()) -> (
    QueryObserver<FilmByID>, Recorder<QueryState<Film>>
  ) {
    let states = Recorder<QueryState<Film>>()
    return (store.observe(FilmByID(id: id), options) { states.record($0) }, states)
  }
}
