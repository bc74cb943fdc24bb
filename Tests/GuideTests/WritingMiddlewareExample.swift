// The declarations of WritingMiddleware.md, which `WritingMiddlewareTests` compares with the page
// word for word.
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
