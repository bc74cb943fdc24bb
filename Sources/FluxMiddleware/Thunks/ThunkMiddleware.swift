public import FluxCore

/// A middleware that runs thunks.
///
/// It takes every ``Thunk`` of the store's state out of the chain and calls it; all other actions it passes on, at the
/// cost of a comparison. Thunks of another state, such as a part of this one, are for a middleware of that state, which
/// `lift(_:to:)` puts in this chain.
public func thunkMiddleware<State: Sendable>() -> Middleware<State> {
  thunkMiddleware(with: ThunkDependencies(values: nil))
}

/// A middleware that runs thunks, and gives them what they need.
///
/// ```swift
/// let store = Store(reducer: appReducer, middleware: [thunkMiddleware(with: Services.live)], state: AppState())
///
/// let save = Thunk<AppState>(with: Services.self) { dispatch, getState, services in
///   services.disk.write(getState())
/// }
/// ```
///
/// As ``thunkMiddleware()``. A thunk asks for its dependencies by their type, or by a protocol they conform to.
public func thunkMiddleware<State: Sendable>(with dependencies: some Sendable) -> Middleware<State> {
  thunkMiddleware(with: ThunkDependencies(values: dependencies))
}

private func thunkMiddleware<State: Sendable>(with dependencies: ThunkDependencies) -> Middleware<State> {
  let thunk = ActionType(Thunk<State>.self)
  return { dispatch, getState in
    let thunkDispatch = ThunkDispatch<State>(function: dispatch)
    return { next in
      thunk.branch(
        to: { action in action.knownToBe(Thunk<State>.self).run(thunkDispatch, getState, dependencies) },
        otherwise: next)
    }
  }
}

/// What a store's thunks are given, if it was made with something to give.
struct ThunkDependencies: Sendable {
  let values: (any Sendable)?

  /// What there is of a type; stops the program if there is no such thing.
  func require<Needed>(_ type: Needed.Type, by origin: String) -> Needed {
    guard let values = values as? Needed else {
      Misuse.lacksDependencies(type, has: values, thunk: origin)
    }
    return values
  }
}
