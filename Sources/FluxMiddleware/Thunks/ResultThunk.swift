public import FluxCore

/// A thunk whose result goes back to who dispatches it.
///
/// ```swift
/// let nextID = ResultThunk<AppState, Int> { dispatch, getState in
///   dispatch(TakeID())
///   return getState()?.lastID ?? 0
/// }
/// let id = store.dispatch(nextID)
/// ```
///
/// The result is `nil` if the thunk was not run: its condition did not hold, a middleware blocked it, or the store has
/// gone. It is not an action itself, since an action has no result; ``Thunk/init(_:)`` makes one of it. For all else see
/// ``Thunk``.
public struct ResultThunk<State: Sendable, Value: Sendable>: Sendable {
  let run: @Sendable (ThunkDispatch<State>, @escaping @Sendable () -> State?, ThunkDependencies) -> Value?
  let origin: String

  /// Creates a thunk from a closure that returns its result.
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
      ) -> Value
  ) {
    origin = "\(file):\(line)"
    run = { dispatch, getState, _ in
      guard let state = getState(), condition(state) else { return nil }
      return body(dispatch, getState)
    }
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
      ) -> Value
  ) {
    let origin = "\(file):\(line)"
    self.origin = origin
    run = { dispatch, getState, dependencies in
      guard let state = getState(), condition(state) else { return nil }
      return body(dispatch, getState, dependencies.require(type, by: origin))
    }
  }

  /// Sends the thunk along a chain, and returns its result if it was run before this returns.
  func result(dispatchedBy dispatch: DispatchFunction) -> Value? {
    let carrier = ResultCarrier<Value>()
    dispatch(Thunk(self) { value in carrier.put(value) })
    return carrier.take()
  }
}

/// Takes a result from the thunk to who dispatched it.
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
  /// - Returns: The result, or `nil` if the thunk was not run before this returned.
  @discardableResult
  public func dispatch<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: { self.dispatch($0) })
  }
}

extension StoreProxy {
  /// Sends a thunk for this part of the state through the store's chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk was not run before this returned.
  @discardableResult
  public func dispatch<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: { self.dispatch($0) })
  }
}
