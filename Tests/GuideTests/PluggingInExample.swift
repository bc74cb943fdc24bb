// The declarations of Documentation/Plugging-in.md. `PluggingInTests` checks that they are the page's to the letter.
import Flux

let timing: Middleware<AppState> = { dispatch, getState in
  { next in
    { action in
      let start = ContinuousClock.now
      next(action)
      print("\(action) took \(ContinuousClock.now - start)")
    }
  }
}

let receipts: Middleware<AppState> = observeActions(of: SetMovie.self) { store, action in
  print("\(action.title) is film \(store.state?.movies.count ?? 0)")
}

let polite: Middleware<AppState> = transformActions(of: SetMovie.self) { store, action in
  action.title.isEmpty ? nil : SetMovie(id: action.id, title: action.title.uppercased())
}

let twice: Middleware<AppState> = interceptActions { store, action, next in
  next(action)
  next(action)
}

let lifted: Middleware<Session> = lift(receipts, to: { $0.app })

struct Clear: Action {}

let clearing = Plugin<AppState>(wrapReducer: { reducer in
  { state, action in
    if action is Clear { state = AppState() }
    reducer(&state, action)
  }
})

let addIfRoom = Thunk<AppState>(when: { $0.movies.count < 10 }) { dispatch, getState in
  dispatch(SetMovie(id: getState()?.movies.count ?? 0, title: "Untitled"))
}

let nextID = ResultThunk<AppState, Int> { dispatch, getState in
  (getState()?.movies.keys.max() ?? 0) + 1
}

struct Services: Sendable {
  var bestTitle: @Sendable () -> String
}

let addBest = Thunk<AppState>(with: Services.self) { dispatch, getState, services in
  dispatch(SetMovie(id: getState()?.movies.count ?? 0, title: services.bestTitle()))
}

struct Trip: FluxState, Codable {
  var stops: [String] = []
}

struct AddStop: Action, Codable {
  let name: String
}

let tripReducer: ActionHandlers<Trip> = on(AddStop.self) { trip, action in trip.stops.append(action.name) }

let calm: [Middleware<AppState>] = [
  debounceActions(of: SetMovie.self, for: .milliseconds(300)),
  throttleActions(of: Clear.self, every: .seconds(1)),
]
