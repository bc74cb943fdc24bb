// The declarations of the README, which `ReadmeTests` compares word for word, and those of other
// guides.
import Flux

struct AppState: FluxState {
  var movies: [Int: String] = [:]
}

struct SetMovie: Action {
  let id: Int
  let title: String
}

func titleFromServer(_ id: Int) async -> String { "Film \(id)" }

struct FetchMovie: TaskAction {
  let id: Int

  func execute(state: AppState, dispatch: @escaping DispatchFunction) async throws {
    dispatch(SetMovie(id: id, title: await titleFromServer(id)))
  }
}

let appReducer: ActionHandlers<AppState> = on(SetMovie.self) { state, action in
  state.movies[action.id] = action.title
}

let counting: Middleware<AppState> = { dispatch, getState in
  { next in
    { action in
      next(action)
      print("\(type(of: action)): \(getState()?.movies.count ?? 0) movies")
    }
  }
}

func familiarReducer(state: AppState, action: any Action) -> AppState {
  var state = state
  switch action {
  case let action as SetMovie: state.movies[action.id] = action.title
  default: break
  }
  return state
}

struct Session: FluxState {
  var app = AppState()
  var visits = 0
}

let sessionReducer = ActionHandlers<Session> {
  lift(appReducer, to: \.app)
  on(SetMovie.self) { session, _ in session.visits += 1 }
}
