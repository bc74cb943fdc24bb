public import FluxCore

/// A thunk that returns a result to the code that dispatches it.
///
/// ```swift
/// let nextID = ResultThunk<AppState, Int> { dispatch, getState in
///   dispatch(TakeID())
///   return getState()?.lastID ?? 0
/// }
/// let id = store.dispatch(nextID)
/// ```
///
/// The result is `nil` if the thunk did not run, because its condition returned `false`, a
/// middleware dropped the thunk, or the store had been released. Unlike a ``Thunk``, a result
/// thunk is not an action, because an action has no result. To create an action from a result
/// thunk, use ``Thunk/init(_:)``. In all other respects, a result thunk works like a ``Thunk``.
public struct ResultThunk<State: Sendable, Value: Sendable>: Sendable {
  let run: @Sendable (ThunkDispatch<State>, @escaping @Sendable () -> State?, ThunkDependencies) -> Value?
  let origin: String

  /// Creates a thunk from a closure that returns the result.
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
      ) -> Value
  ) {
    let origin = "\(file):\(line)"
    self.origin = origin
    run = { dispatch, getState, _ in
      guard let state = getState(), condition(state) else { return nil }
      return body(dispatch.used(byThunkFrom: origin), getState)
    }
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
      ) -> Value
  ) {
    let origin = "\(file):\(line)"
    self.origin = origin
    run = { dispatch, getState, dependencies in
      guard let state = getState(), condition(state) else { return nil }
      let dispatch = dispatch.used(byThunkFrom: origin)
      return body(dispatch, getState, dependencies.require(type, by: origin, or: dispatch.services))
    }
  }

  /// Dispatches the thunk, and returns its result if the thunk runs before this method returns.
  func result(dispatchedBy dispatch: DispatchFunction) -> Value? {
    let carrier = ResultCarrier<Value>()
    dispatch(Thunk(self) { value in carrier.put(value) })
    return carrier.take()
  }
}

/// An object that passes the result of a thunk to the code that dispatched the thunk.
private final class ResultCarrier<Value: Sendable>: Sendable {
  private let value = Locked<Value?>(nil)

  func put(_ new: Value) {
    _ = value.exchange(new)
  }

  func take() -> Value? {
    value.exchange(nil)
  }
}

extension Store {
  /// Sends a thunk through the chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk did not run before this method returned.
  @discardableResult
  public func dispatch<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: { self.dispatch($0) })
  }
}

extension StoreProxy {
  /// Sends a thunk for this part of the state through the store's chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk did not run before this method returned.
  @discardableResult
  public func dispatch<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: { self.dispatch($0) })
  }
}
