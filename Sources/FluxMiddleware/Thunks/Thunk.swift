public import FluxCore

/// An action that consists of a function.
///
/// The function can read the state and dispatch other actions.
///
/// ```swift
/// let addIfRoom = Thunk<AppState> { dispatch, getState in
///   if let count = getState()?.movies.count, count < 10 { dispatch(AddMovie()) }
/// }
/// store.dispatch(addIfRoom)
/// ```
///
/// ``thunkMiddleware()`` returns the middleware that runs thunks. The middleware runs each thunk
/// at its position in the chain, before `dispatch` returns. A thunk runs on the thread that
/// dispatched it, outside the store's lock. The reducer and the later middleware do not receive
/// the thunk, but only the actions that the thunk dispatches. If a thunk reaches the end of a
/// chain that has no thunk middleware, the program stops with a message that names the thunk.
///
/// A thunk can dispatch other thunks and receive their results, as ``ResultThunk`` describes.
/// A thunk can look up the services of the store with ``ThunkDispatch/services``. For work that
/// takes time, use an async action instead. The idea is borrowed from Redux Thunk.
public struct Thunk<State: Sendable>: Action {
  let run: @Sendable (ThunkDispatch<State>, @escaping @Sendable () -> State?, ThunkDependencies) -> Void
  private let origin: String

  /// Creates a thunk from a closure.
  ///
  /// - Parameters:
  ///   - condition: A closure that receives the state immediately before `body` runs, and
  ///     returns whether the thunk runs.
  ///   - file: The file that creates the thunk, for use in logs and messages.
  ///   - line: The line that creates the thunk, for use in logs and messages.
  ///   - body: The closure to run, which receives a dispatch function and a function that
  ///     returns the state, or `nil` if the store has been released.
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
  /// ``thunkMiddleware(with:)``, or a service of the store.
  ///
  /// - Parameters:
  ///   - type: The type of the dependencies. If the middleware was not created with a value of
  ///     that type, the thunk receives the service that is registered under the type. If there is
  ///     no such service, the program stops with a message.
  ///   - condition: A closure that receives the state immediately before `body` runs, and
  ///     returns whether the thunk runs.
  ///   - file: The file that creates the thunk, for use in logs and messages.
  ///   - line: The line that creates the thunk, for use in logs and messages.
  ///   - body: The closure to run, which receives a dispatch function, a function that returns
  ///     the state, and the dependencies.
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

  /// Stops the program, because the thunk reached the reducer without being run by a middleware.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    Misuse.notRun(self)
  }
}

extension Thunk: CustomStringConvertible {
  /// The file and the line in which the thunk was created, as text.
  public var description: String { "Thunk(\(origin))" }
}

/// The dispatch function that a thunk receives, and can call with an action or with a result
/// thunk.
public struct ThunkDispatch<State: Sendable>: Sendable {
  /// The dispatch function as a plain function that you can pass to other code.
  public let function: DispatchFunction
  /// A context of the store, or `nil` if no store has created the thunk middleware.
  let context: ActionContext?
  private var user: ServiceUser?

  init(function: @escaping DispatchFunction, in context: ActionContext?) {
    self.function = function
    self.context = context
  }

  /// The services of the store, or of the lifted thunk middleware.
  ///
  /// The error of a failed look-up names the thunk. After the store is released, each look-up
  /// throws an error.
  public var services: Services { (context?.services ?? Services()).used(by: user) }

  /// Returns a copy whose errors of missing services name a thunk.
  func used(byThunkFrom origin: String) -> ThunkDispatch {
    var copy = self
    copy.user = ServiceUser(Thunk<State>.self, from: origin)
    return copy
  }

  /// Sends an action through the whole chain.
  public func callAsFunction(_ action: any Action) {
    function(action)
  }

  /// Sends a thunk through the whole chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk did not run before this method returned.
  @discardableResult
  public func callAsFunction<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: function)
  }
}
