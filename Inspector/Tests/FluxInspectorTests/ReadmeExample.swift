import Flux
import FluxInspector
import FluxLog
import Foundation

// The examples of this README and of the repository's, which a test there compares with these,
// word for word.

struct AppState: FluxState, Codable {
  var movies: [String] = []
}

struct Drawing: FluxState {
  var shapes = 0
}

struct AddMovie: Action, Codable {
  let title: String
}

struct RateMovie: Action, Codable {
  let title: String
  let stars: Int
}

private let appReducer: ActionHandlers<AppState> = on(AddMovie.self) { state, action in
  state.movies.append(action.title)
}

private let drawingReducer = ActionHandlers<Drawing> {}

private func oneStore() -> Store<AppState> {
  let store = Store(reducer: appReducer, plugins: [inspector(port: 8125)], state: AppState())
  return store
}

private func withActionsAndSecrets() -> Plugin<AppState> {
  let plugin: Plugin<AppState> = inspector(
    port: 8125, actions: ActionRegistry(AddMovie.self, RateMovie.self),
    redacting: .fields("password", "token"))
  return plugin
}

private func severalStores() -> (Store<AppState>, Store<Drawing>) {
  let inspector = Inspector(port: 8125)
  let app = Store(reducer: appReducer, plugins: [inspector.plugin(named: "App")], state: AppState())

  let history = History<Drawing>(limit: 1_000, noting: inspector.notes)
  let drawing = Store(
    reducer: drawingReducer, plugins: [history.plugin, inspector.plugin(history: history)], state: Drawing())
  return (app, drawing)
}

private func crash(_ inspector: Inspector, in folder: URL, _ registry: ActionRegistry) throws {
  if let report = try CrashReport.load(from: folder) {
    try inspector.show(
      report, named: "App before the crash", actions: registry, reducer: appReducer.reducer)
  }
}
