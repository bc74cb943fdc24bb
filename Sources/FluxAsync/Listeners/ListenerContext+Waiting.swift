public import FluxCore

// The methods that wait for future actions.
//
// A method receives only actions that are delivered after it has begun to wait, and misses
// actions that the same task or another task dispatched earlier. The methods call the `doing`
// closure after they have begun to wait, so they receive the actions that the closure
// dispatches.

extension ListenerContext {
  /// Waits for the next action of exactly one type.
  ///
  /// ```swift
  /// let (found, _, _) = try await listener.take(of: Found.self, doing: { listener.dispatch(Search("flux")) })
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - start: A closure that the method calls after it has begun to wait. The method receives
  ///     the actions that the closure dispatches.
  /// - Returns: The action, and the states after and before the action.
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended.
  @discardableResult
  public func take<Awaited: Action>(
    of type: Awaited.Type, doing start: () -> Void = {}
  ) async throws -> (action: Awaited, current: State, previous: State) {
    let transition = try await untimed(.types([type]), doing: start)
    return (transition.action.knownToBe(Awaited.self), transition.after, transition.before)
  }

  /// Waits for the next action of exactly one type, or until a time limit has passed.
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - timeout: The maximum time to wait, or `nil` for no limit.
  ///   - start: A closure that the method calls after it has begun to wait. The method receives
  ///     the actions that the closure dispatches.
  /// - Returns: The action, and the states after and before the action, or `nil` if the time
  ///   limit has passed.
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended, or an error that
  ///   the clock throws.
  @discardableResult
  public func take<Awaited: Action>(
    of type: Awaited.Type, timeout: Duration?, doing start: () -> Void = {}
  ) async throws -> (action: Awaited, current: State, previous: State)? {
    try await wait(for: .types([type]), timeout: timeout, doing: start).map { transition in
      (transition.action.knownToBe(Awaited.self), transition.after, transition.before)
    }
  }

  /// Waits for the next action that satisfies a predicate.
  ///
  /// - Parameters:
  ///   - start: A closure that the method calls after it has begun to wait. The method receives
  ///     the actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws an error, the method continues to wait.
  /// - Returns: The action, and the states after and before the action.
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended.
  @discardableResult
  public func take(
    doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State) {
    let transition = try await untimed(.predicate(predicate), doing: start)
    return (transition.action, transition.after, transition.before)
  }

  /// Waits for the next action that satisfies a predicate, or until a time limit has passed.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, or `nil` for no limit.
  ///   - start: A closure that the method calls after it has begun to wait. The method receives
  ///     the actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws an error, the method continues to wait.
  /// - Returns: The action, and the states after and before the action, or `nil` if the time
  ///   limit has passed.
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended, or an error that
  ///   the clock throws.
  @discardableResult
  public func take(
    timeout: Duration?, doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State)? {
    try await wait(for: .predicate(predicate), timeout: timeout, doing: start).map { transition in
      (transition.action, transition.after, transition.before)
    }
  }

  /// Waits for an action that satisfies a predicate.
  ///
  /// The predicate is usually a condition on the state after the action. The method calls the
  /// predicate only for actions, and does not test the state at the time of the call.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, or `nil` for no limit.
  ///   - start: A closure that the method calls after it has begun to wait. The method receives
  ///     the actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws an error, the method continues to wait.
  /// - Returns: A Boolean value that indicates whether a matching action arrived before the time
  ///   limit passed.
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended, or an error that
  ///   the clock throws.
  @discardableResult
  public func condition(
    timeout: Duration? = nil, doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> Bool {
    try await wait(for: .predicate(predicate), timeout: timeout, doing: start) != nil
  }

  private func untimed(
    _ subject: ListenerSubject<State>, doing start: () -> Void
  ) async throws -> StateTransition<State> {
    guard let transition = try await wait(for: subject, timeout: nil, doing: start) else {
      preconditionFailure("A wait without a timeout ends with an action or an error.")
    }
    return transition
  }
}

/// A rule for matching actions that arrive while the listener's effect is still running for an
/// earlier action.
///
/// The rule is applied when an action is delivered, so the result does not depend on when the
/// tasks of runs begin. Actions are delivered in the order in which they are reduced. The names
/// of the rules come from redux-saga.
public enum ListenerTaking: Hashable, Sendable {
  /// Each action starts a run, regardless of other runs.
  case every
  /// Each action cancels the earlier runs, and then starts a run.
  ///
  /// If the effect begins by calling ``ListenerContext/delay(for:)``, the effect is debounced.
  case latest
  /// An action starts a run only if all earlier runs have ended, including canceled runs.
  ///
  /// If the effect ends by calling ``ListenerContext/delay(for:)``, the effect is throttled.
  case leading
  /// The first action starts a run, and unsubscribes the listener as
  /// ``ListenerContext/unsubscribe()`` does.
  case once
}
