import Flux
import FluxNavigation

/// The state of the app.
struct AppState: FluxState, Equatable {
  /// The data of the server that the queries have fetched.
  var queries = QueryCache()
  var filter = FilmFilter()
  var search = Search()
  var wishes = Wishes()
  var undo = UndoStatus()
  /// The screens of each tab.
  var tabs = AppTabs(selected: .films, [.films: .films, .wishes: .wishes])
}

/// The reducer of the app.
///
/// The plug-ins of the store reduce the actions of queries, of the history, and of the screens.
let appReducer = ActionHandlers<AppState> {
  lift(BindingAction<FilmFilter>.reducer, to: \AppState.filter)
  lift(searchReducer, to: \AppState.search)
  lift(wishReducer, to: \AppState.wishes)
}

private let queries = QuerySlice(at: \AppState.queries)

/// Returns a store of the app.
///
/// - Parameters:
///   - service: The source of the films.
///   - clock: The clock that measures time limits and pauses.
func makeStore(
  service: some MovieService, clock: any Clock<Duration> = ContinuousClock()
) -> Store<AppState> {
  let history = History<Wishes>(records: .only(SetWish.self, RemoveWishes.self))
  return Store(
    reducer: appReducer,
    plugins: [
      .asyncWork(clock: clock), queries.plugin,
      // The status is read after the history has reduced the action.
      .undoStatus(of: history), lift(history.plugin, to: \AppState.wishes),
      routing.plugin,
    ],
    services: Services().with(service, as: (any MovieService).self),
    state: AppState())
}
