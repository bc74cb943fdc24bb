// The declarations of InTheBox.md, which `InTheBoxTests` compares with the page word for word.
import Flux

struct Member: FluxState, Codable {
  var name = ""
  var password = ""
}

struct SignIn: Action, Codable {
  let name: String
  let password: String
}

let memberReducer: ActionHandlers<Member> = on(SignIn.self) { member, action in
  member.name = action.name
  member.password = action.password
}

let addIfRoom = Thunk<AppState>(when: { $0.movies.count < 10 }) { dispatch, getState in
  dispatch(SetMovie(id: getState()?.movies.count ?? 0, title: "Untitled"))
}

let nextID = ResultThunk<AppState, Int> { dispatch, getState in
  (getState()?.movies.keys.max() ?? 0) + 1
}

struct Charts: Sendable {
  var bestTitle: @Sendable () -> String
}

let addBest = Thunk<AppState>(with: Charts.self) { dispatch, getState, charts in
  dispatch(SetMovie(id: getState()?.movies.count ?? 0, title: charts.bestTitle()))
}

let calm: [Middleware<AppState>] = [
  debounceActions(of: SetMovie.self, for: .milliseconds(300)),
  throttleActions(of: Clear.self, every: .seconds(1)),
]
