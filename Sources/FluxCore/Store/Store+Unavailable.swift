// Overloads that match incorrect calls, so that the compiler reports an error that describes
// the correct call.
//
// A parameter of type `any Sendable` or `[Any]` accepts any function that is passed by name, but
// does not determine the type of a closure expression. Therefore, the compiler still reports a
// mistake in a closure on the line of the mistake, and for the intended overload.

extension Store {
  /// Rejects a reducer whose type does not match the store's state.
  @available(
    *, unavailable,
    message: "a reducer takes a non-optional state of the store's state type first, and then the action"
  )
  public convenience init(
    reducer: any Sendable, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    services: Services = Services(), state: State
  ) {
    self.init(reducer: { _, _ in }, middleware: middleware, plugins: plugins, state: state)
  }

  /// Rejects middleware and plug-ins for a different type of state.
  @available(
    *, unavailable,
    message: "middleware and plug-ins must have the store's state type; use 'lift(_:to:)' to convert others"
  )
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Any]? = nil, plugins: [Any] = [],
    services: Services = Services(), state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Rejects an initializer call that combines an in-place reducer with middleware or plug-ins
  /// for a different type of state.
  @available(
    *, unavailable,
    message: "middleware and plug-ins must have the store's state type; use 'lift(_:to:)' to convert others"
  )
  public convenience init(
    reducer: @escaping MutatingReducer<State>, middleware: [Any]? = nil, plugins: [Any] = [],
    services: Services = Services(), state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Rejects an initializer call that combines handlers with middleware or plug-ins for a
  /// different type of state.
  @available(
    *, unavailable,
    message: "middleware and plug-ins must have the store's state type; use 'lift(_:to:)' to convert others"
  )
  public convenience init(
    reducer: ActionHandlers<State>, middleware: [Any]? = nil, plugins: [Any] = [],
    services: Services = Services(), state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Rejects a reducer whose type does not match the store's state.
  @available(
    *, unavailable,
    message: "a reducer takes a non-optional state of the store's state type first, and then the action"
  )
  public func replaceReducer(_ reducer: any Sendable) {}

  /// Rejects a type that is passed instead of a key path or a closure.
  @available(
    *, unavailable, renamed: "proxy(as:)",
    message: "use 'proxy(as:)' for a type; 'proxy(for:)' takes a key path or a closure"
  )
  public func proxy<Part: Sendable>(for type: Part.Type) -> StoreProxy<Part>? { proxy(as: type) }
}

extension StoreProxy {
  /// Rejects a type that is passed instead of a key path or a closure.
  @available(
    *, unavailable, renamed: "proxy(as:)",
    message: "use 'proxy(as:)' for a type; 'proxy(for:)' takes a key path or a closure"
  )
  public func proxy<Part: Sendable>(for type: Part.Type) -> StoreProxy<Part>? { proxy(as: type) }
}

extension ActionHandlers {
  /// Rejects the use of the `+` operator with handlers.
  @available(*, unavailable, message: "use 'combine(_:_:)' for handlers and reducers")
  public static func + (first: ActionHandlers, second: ActionHandlers) -> ActionHandlers {
    combine(first, second)
  }
}

/// Rejects the use of the `+` operator with reducers.
@available(*, unavailable, message: "use 'combine(_:_:)' for reducers")
public func + <State>(
  first: @escaping Reducer<State>, second: @escaping Reducer<State>
) -> Reducer<State> {
  combine(first, second)
}

/// Rejects the use of the `+` operator with reducers that change the state in place.
@available(*, unavailable, message: "use 'combine(_:_:)' for reducers")
public func + <State>(
  first: @escaping MutatingReducer<State>, second: @escaping MutatingReducer<State>
) -> MutatingReducer<State> {
  combine(first, second)
}
