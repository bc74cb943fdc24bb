public import FluxCore

/// Returns a middleware that runs thunks.
///
/// The middleware runs each ``Thunk`` for the store's state instead of passing it on. For any
/// other action, the middleware performs one comparison and passes the action on. A thunk for
/// another type of state, such as a part of the store's state, requires a middleware for that
/// type. To use a middleware for a part of the state in the store's chain, convert it with
/// `lift(_:to:)`.
public func thunkMiddleware<State: Sendable>() -> Middleware<State> {
  thunkMiddleware(with: ThunkDependencies(values: nil))
}

/// Returns a middleware that runs thunks and passes dependencies to them.
///
/// ```swift
/// let store = Store(reducer: appReducer, middleware: [thunkMiddleware(with: Disk.live)], state: AppState())
///
/// let save = Thunk<AppState>(with: Disk.self) { dispatch, getState, disk in
///   disk.write(getState())
/// }
/// ```
///
/// The middleware works like ``thunkMiddleware()``. A thunk specifies the type of its
/// dependencies, or a protocol to which they conform. If the dependencies do not have that type,
/// the thunk receives the service that is registered under the type in the services of the store.
public func thunkMiddleware<State: Sendable>(with dependencies: some Sendable) -> Middleware<State> {
  thunkMiddleware(with: ThunkDependencies(values: dependencies))
}

private func thunkMiddleware<State: Sendable>(with dependencies: ThunkDependencies) -> Middleware<State> {
  let thunk = ActionType(Thunk<State>.self)
  return { dispatch, getState in
    let thunkDispatch = ThunkDispatch<State>(function: dispatch, in: StoreCreation.context)
    return { next in
      thunk.branch(
        to: { action in action.knownToBe(Thunk<State>.self).run(thunkDispatch, getState, dependencies) },
        otherwise: next)
    }
  }
}

/// The dependencies that a store's thunks receive, if any.
struct ThunkDependencies: Sendable {
  let values: (any Sendable)?

  /// Returns the dependencies cast to a type, or the service for that type.
  ///
  /// If there is neither, the method stops the program.
  func require<Needed: Sendable>(_ type: Needed.Type, by origin: String, or services: Services) -> Needed {
    guard let values = (values as? Needed) ?? (try? services(type)) else {
      Misuse.lacksDependencies(type, has: values, thunk: origin)
    }
    return values
  }
}
