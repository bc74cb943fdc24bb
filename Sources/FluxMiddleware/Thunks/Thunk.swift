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
/// ``thunkMiddleware()`` runs it where it stands in the chain, on the thread that dispatched, outside the store's
/// lock, before `dispatch` returns. Middleware behind it and the reducer do not see the thunk, only what it
/// dispatches. A thunk that reaches the end of a chain without that middleware stops the program, with a message that
/// names the thunk: what it was to do would be lost.
///
/// Thunks dispatch thunks, and get their results: see ``ResultThunk``. What takes time belongs into an async action.
/// The idea is Redux Thunk's.
public struct Thunk<State: Sendable>: Action {
  let run: @Sendable (ThunkDispatch<State>, @escaping @Sendable () -> State?, ThunkDependencies) -> Void
  private let origin: String

  /// Creates a thunk from a closure.
  ///
  /// - Parameters:
  ///   - condition: Whether the thunk is to run at all, asked with the state when it is its turn.
  ///   - file: Where the thunk is made, for logs and messages.
  ///   - line: Where the thunk is made, for logs and messages.
  ///   - body: The work, given a way to dispatch and one to read the state, which is `nil` once the store has gone.
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

  /// Creates a thunk from a closure that is given what the store's ``thunkMiddleware(with:)`` was made with.
  ///
  /// - Parameters:
  ///   - type: The type of what it needs. If the store's middleware has no such thing, the program stops with a message.
  ///   - condition: Whether the thunk is to run at all, asked with the state when it is its turn.
  ///   - file: Where the thunk is made, for logs and messages.
  ///   - line: Where the thunk is made, for logs and messages.
  ///   - body: The work, given a way to dispatch, one to read the state, and what it needs.
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

  /// Creates a thunk that does what another does, whose result nobody wants.
  public init<Value>(_ thunk: ResultThunk<State, Value>) {
    self.init(thunk) { _ in }
  }

  init<Value>(_ thunk: ResultThunk<State, Value>, receive: @escaping @Sendable (Value) -> Void) {
    run = { dispatch, getState, dependencies in
      if let value = thunk.run(dispatch, getState, dependencies) { receive(value) }
    }
    origin = thunk.origin
  }

  /// Stops the program: no middleware has run the thunk.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    Misuse.notRun(self)
  }
}

extension Thunk: CustomStringConvertible {
  /// Where the thunk was made.
  public var description: String { "Thunk(\(origin))" }
}
