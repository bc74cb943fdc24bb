// An app of the size of SwiftUIFlux's own. It has five sub-states with a reducer each, about sixty
// types of action, a web service that calls back on a background queue, and a cache on disk. It
// uses only the module Flux of this package.
import Flux

/// The destination of the app's log.
class Console {
  static let shared = Console()

  var print: (String) -> Void = { _ in }
}

let loggingMiddleware: Middleware<AppState> = { dispatch, getState in
  return { next in
    return { action in
      Console.shared.print(name(of: action))
      return next(action)
    }
  }
}

func name(of action: Action) -> String {
  return String(describing: type(of: action))
}

func makeStore() -> Store<AppState> {
  return Store<AppState>(
    reducer: loggedReducer,
    middleware: [loggingMiddleware],
    state: AppState())
}

/// The reducer of the app, which also logs the actions that it reduces.
func loggedReducer(state: AppState, action: Action) -> AppState {
  Console.shared.print("> " + name(of: action))
  return appReducer(state: state, action: action)
}
