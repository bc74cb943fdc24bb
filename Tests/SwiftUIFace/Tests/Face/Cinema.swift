import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import FluxUI
import SwiftUI
import TestSupport

/// The state of the tests of queries.
struct CinemaState: FluxState, Equatable {
  var queries = QueryCache()
  var count = 0
}

struct Film: Hashable, Sendable {
  var id: Int
  var title: String
}

/// A film, whose title is the answer of the service to `film 7`.
///
/// Without subscribers, film 0 is removed immediately.
struct FilmByID: Query {
  let id: Int

  var lifetimeWithoutSubscribers: Duration? { id == 0 ? .zero : .seconds(60) }

  func fetch(in context: RequestContext<CinemaState>) async throws -> Film {
    Film(id: id, title: try await context.services(Service.self).call("film \(id)"))
  }
}

/// Numbered pages of words.
///
/// The answer of the service to `page 3` contains the words of page 3.
struct Words: InfiniteQuery {
  let firstPage = 2

  func fetchPage(_ number: Int, in context: RequestContext<CinemaState>) async throws -> String {
    try await context.services(Service.self).call("page \(number)")
  }

  func nextPage(after pages: QueryPages<String, Int>) -> Int? { (pages.parameters.last ?? 0) + 1 }

  func previousPage(before pages: QueryPages<String, Int>) -> Int? { (pages.parameters.first ?? 0) - 1 }
}

/// A store with a cache, a service, and a clock.
@MainActor
final class Cinema {
  let service = Service()
  let clock = ManualClock()
  let store: Store<CinemaState>
  let bodies = Bodies()
  /// The requests and removals that were dispatched, each with the numbers of subscribers of the
  /// films 7 and 8.
  let actions = Recorder<String>()

  init(hasCache: Bool = true) {
    let (actions, queries) = (actions, QuerySlice(at: \CinemaState.queries))
    let source = Shared<StoreProxy<CinemaState>?>(nil)
    let recording: Middleware<CinemaState> = { _, _ in
      { next in
        { action in
          if action is FetchQuery || action is RemoveQueries {
            let counts = [7, 8].map { source.value?.subscribers(of: FilmByID(id: $0)) ?? 0 }
            actions.record("\(action), subscribers: \(counts)")
          }
          next(action)
        }
      }
    }
    store = Store(
      reducer: ActionHandlers<CinemaState> { on(Increment.self) { state, _ in state.count += 1 } },
      middleware: [recording], plugins: hasCache ? [.asyncWork(clock: clock), queries.plugin] : [],
      services: Services().with(service), state: CinemaState())
    source.value = store.proxy
  }

  /// Stores a film without a request.
  func write(_ id: Int, _ title: String) {
    store.write(Film(id: id, title: title), to: FilmByID(id: id))
  }

  func subscribers(of id: Int) -> Int { store.subscribers(of: FilmByID(id: id)) }

  /// Waits until the operations that were sent to the main actor have run, and shows the result.
  func settle(_ screen: Screen) async {
    await Task.detached { @MainActor in }.value
    screen.update()
  }

  /// Waits until a screen shows a line.
  func until(_ line: String, on screen: Screen) async {
    while !screen.text.contains(line) {
      await Task.yield()
      screen.update()
    }
  }
}

/// A view that shows a film: its title, `…` during the first request, `+` during other requests,
/// and `old` if the title belongs to another film.
struct FilmView: View {
  private let bodies: Bodies
  @ObservedQuery private var film: QueryState<Film>

  init(_ id: Int?, _ options: QueryOptions = QueryOptions(), bodies: Bodies) {
    self.bodies = bodies
    _film = ObservedQuery(id.map { FilmByID(id: $0) }, options)
  }

  var body: some View {
    let text = FilmView.text(film)
    let _ = bodies.record(text)
    Text(text)
    Button("reload") { $film.refetch() }
  }

  static func text(_ film: QueryState<Film>) -> String {
    if film.isLoading { return "…" }
    if let error = film.error { return error.description }
    guard let data = film.data else { return "-" }
    return data.title + (film.currentData == nil ? " old" : "") + (film.isFetching ? " +" : "")
  }
}

/// A view that shows only the title of a film.
struct FilmTitleView: View {
  private let bodies: Bodies
  @ObservedQuery private var film: QueryState<Film>

  init(_ id: Int, bodies: Bodies) {
    self.bodies = bodies
    _film = ObservedQuery(FilmByID(id: id), comparing: { $0.data?.title })
  }

  var body: some View {
    let text = film.data?.title ?? "-"
    let _ = bodies.record(text)
    Text(text)
  }
}
