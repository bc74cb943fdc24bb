public import FluxCore

/// An action that is a function: it reads the state, decides, and dispatches.
///
/// ```swift
/// let addIfRoom = Thunk<AppState> { dispatch, getState in
///   if let count = getState()?.movies.count, count < 10 { dispatch(AddMovie()) }
/// }
/// store.dispatch(addIfRoom)
/// ```
///
/// ``thunkMiddleware()`` runs the thunk at the position of that middleware in the chain, on the
/// thread that dispatched, outside the store's lock, and before `dispatch` returns. The
/// middleware behind it and the reducer do not receive the thunk, only the actions that it
/// dispatches. If a thunk reaches the end of a chain without that middleware, the program stops
/// with a message that names the thunk, because the thunk would have no effect.
///
/// A thunk can dispatch other thunks, and receive their results: see ``ResultThunk``. Use an
/// async action for work that takes time. The idea comes from Redux Thunk.
public struct Thunk<State: Sendable>: Action {
  let run: @Sendable (ThunkDispatch<State>, @escaping @Sendable () -> State?, ThunkDependencies) -> Void
  private let origin: String

  /// Creates a thunk from a closure.
  ///
  /// - Parameters:
  ///   - condition: A closure that returns whether the thunk runs. It is called with the state
  ///     immediately before `body`.
  ///   - file: The file in which the thunk is created, for logs and messages.
  ///   - line: The line in which the thunk is created, for logs and messages.
  ///   - body: The work. It receives a function that dispatches and a function that returns the
  ///     state, or `nil` after the store was released.
  public init(
    when condition: @escaping @Sendable (State) -> Bool = { _ in true },
    file: StaticString = #fileID, line: UInt = #line,
    _ body:
      @escaping @Sendable (
        _ dispatch: ThunkDispatch<State>, _ getState: @escaping @Sendable () -> State?
      ) -> Void
  ) {
    self.init(ResultThunk(when: condition, file: file, line: line, body))
  }

  /// Creates a thunk from a closure that also receives the dependencies of the store's
  /// ``thunkMiddleware(with:)``.
  ///
  /// - Parameters:
  ///   - type: The type of the dependencies. If the store's middleware has no value of that
  ///     type, the program stops with a message.
  ///   - condition: A closure that returns whether the thunk runs. It is called with the state
  ///     immediately before `body`.
  ///   - file: The file in which the thunk is created, for logs and messages.
  ///   - line: The line in which the thunk is created, for logs and messages.
  ///   - body: The work. It receives a function that dispatches, a function that returns the
  ///     state, and the dependencies.
  public init<Dependencies: Sendable>(
    with type: Dependencies.Type, when condition: @escaping @Sendable (State) -> Bool = { _ in true },
    file: StaticString = #fileID, line: UInt = #line,
    _ body:
      @escaping @Sendable (
        _ dispatch: ThunkDispatch<State>, _ getState: @escaping @Sendable () -> State?,
        _ dependencies: Dependencies
      ) -> Void
  ) {
    self.init(ResultThunk(with: type, when: condition, file: file, line: line, body))
  }

  /// Creates a thunk that runs another thunk and ignores its result.
  public init<Value>(_ thunk: ResultThunk<State, Value>) {
    self.init(thunk) { _ in }
  }

  init<Value>(_ thunk: ResultThunk<State, Value>, receive: @escaping @Sendable (Value) -> Void) {
    run = { dispatch, getState, dependencies in
      if let value = thunk.run(dispatch, getState, dependencies) { receive(value) }
    }
    origin = thunk.origin
  }

  /// Stops the program, because no middleware has run the thunk.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    Misuse.notRun(self)
  }
}

extension Thunk: CustomStringConvertible {
  /// The file and the line in which the thunk was created.
  public var description: String { "Thunk(\(origin))" }
}

/// A function that dispatches for a thunk: call it with an action, or with a thunk whose result
/// it returns.
public struct ThunkDispatch<State: Sendable>: Sendable {
  /// The plain dispatch function, to pass to other code.
  public let function: DispatchFunction

  /// Sends an action through the whole chain.
  public func callAsFunction(_ action: any Action) {
    function(action)
  }

  /// Sends a thunk through the whole chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk was not run before this method returned.
  @discardableResult
  public func callAsFunction<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: function)
  }
}
