public import FluxCore

// The methods that wait for future actions.
//
// A wait receives actions that are delivered after the wait has begun. A wait can miss an action
// that is dispatched before the wait has begun, in the same task or in another task. The `doing`
// closure runs after the wait has begun, so the wait receives the actions that the closure
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
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  /// - Returns: The action, and the states after and before the action.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or has ended.
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
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  /// - Returns: The action, and the states after and before the action, or `nil` if the time
  ///   limit has passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or has ended, or an error
  ///   that the clock throws.
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
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws, the wait continues.
  /// - Returns: The action, and the states after and before the action.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or has ended.
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
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws, the wait continues.
  /// - Returns: The action, and the states after and before the action, or `nil` if the time
  ///   limit has passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or has ended, or an error
  ///   that the clock throws.
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
  /// The predicate is usually a condition on the state after the action. The predicate is called
  /// only for actions, so it does not test the state at the beginning of the wait.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, or `nil` for no limit.
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, like the predicate of a
  ///     ``Listener``. If the predicate throws, the wait continues.
  /// - Returns: A Boolean value that indicates whether a matching action arrived before the time
  ///   limit passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or has ended, or an error
  ///   that the clock throws.
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

/// A rule for matching actions that arrive while the effect of a listener is running for
/// earlier actions.
///
/// The rule is applied in commit order when an action is delivered, and not when a task begins.
/// The rule is therefore exact, even if actions follow each other quickly. The names of the
/// rules come from redux-saga.
public enum ListenerTaking: Hashable, Sendable {
  /// Each action starts a run, regardless of other runs.
  case every
  /// Each action cancels the earlier runs, and then starts a run.
  ///
  /// If the effect begins with a ``ListenerContext/delay(for:)``, the effect is debounced.
  case latest
  /// An action starts a run only if all earlier runs have ended, including canceled runs.
  ///
  /// If the effect ends with a ``ListenerContext/delay(for:)``, the effect is throttled.
  case leading
  /// The first action starts a run, and unsubscribes the listener as
  /// ``ListenerContext/unsubscribe()`` does.
  case once
}
