// Calls that cannot compile, with messages that say what to write instead.
//
// A parameter of type `any Sendable` or `[Any]` accepts a function of any type that is passed by name,
// and gives a closure no type. The compiler therefore reports a mistake in a closure on its own line, for
// the overload that the call fits otherwise.

extension Store {
  /// Refuses a reducer that is not a reducer of the store's state.
  @available(
    *, unavailable,
    message: "a reducer takes the store's type of state first, not an optional, and then the action"
  )
  public convenience init(
    reducer: any Sendable, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    state: State
  ) {
    self.init(reducer: { _, _ in }, middleware: middleware, plugins: plugins, state: state)
  }

  /// Refuses middleware and plug-ins for another state.
  @available(
    *, unavailable,
    message: "middleware and plug-ins have the store's type of state; 'lift(_:to:)' converts others"
  )
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Any]? = nil, plugins: [Any] = [], state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Refuses middleware and plug-ins for another state, beside an in-place reducer.
  @available(
    *, unavailable,
    message: "middleware and plug-ins have the store's type of state; 'lift(_:to:)' converts others"
  )
  public convenience init(
    reducer: @escaping MutatingReducer<State>, middleware: [Any]? = nil, plugins: [Any] = [], state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Refuses middleware and plug-ins for another state, beside handlers.
  @available(
    *, unavailable,
    message: "middleware and plug-ins have the store's type of state; 'lift(_:to:)' converts others"
  )
  public convenience init(
    reducer: ActionHandlers<State>, middleware: [Any]? = nil, plugins: [Any] = [], state: State
  ) {
    self.init(reducer: reducer, state: state)
  }

  /// Refuses a reducer that is not a reducer of the store's state.
  @available(
    *, unavailable,
    message: "a reducer takes the store's type of state first, not an optional, and then the action"
  )
  public func replaceReducer(_ reducer: any Sendable) {}

  /// Refuses a type in place of a key path or a closure.
  @available(
    *, unavailable, renamed: "proxy(as:)",
    message: "use 'proxy(as:)' for a type; 'proxy(for:)' takes a key path or a closure"
  )
  public func proxy<Part: Sendable>(for type: Part.Type) -> StoreProxy<Part>? { proxy(as: type) }
}

extension StoreProxy {
  /// Refuses a type in place of a key path or a closure.
  @available(
    *, unavailable, renamed: "proxy(as:)",
    message: "use 'proxy(as:)' for a type; 'proxy(for:)' takes a key path or a closure"
  )
  public func proxy<Part: Sendable>(for type: Part.Type) -> StoreProxy<Part>? { proxy(as: type) }
}

extension ActionHandlers {
  /// Refuses to add handlers.
  @available(*, unavailable, message: "use 'combine(_:_:)' for handlers and reducers")
  public static func + (first: ActionHandlers, second: ActionHandlers) -> ActionHandlers {
    combine(first, second)
  }
}

/// Refuses to add reducers.
@available(*, unavailable, message: "use 'combine(_:_:)' for reducers")
public func + <State>(
  first: @escaping Reducer<State>, second: @escaping Reducer<State>
) -> Reducer<State> {
  combine(first, second)
}

/// Refuses to add reducers that change the state in place.
@available(*, unavailable, message: "use 'combine(_:_:)' for reducers")
public func + <State>(
  first: @escaping MutatingReducer<State>, second: @escaping MutatingReducer<State>
) -> MutatingReducer<State> {
  combine(first, second)
}
