public import FluxCore

// The waits for future actions.
//
// A wait receives actions that are delivered after it was called. It can miss an action that is
// dispatched before that, even on another task. The `doing` closure runs after the wait has
// begun, so the wait does not miss its actions.

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
  /// - Returns: The action, with the states after and before it.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or over.
  @discardableResult
  public func take<Awaited: Action>(
    of type: Awaited.Type, doing start: () -> Void = {}
  ) async throws -> (action: Awaited, current: State, previous: State) {
    let transition = try await untimed(.types([type]), doing: start)
    return (transition.action.knownToBe(Awaited.self), transition.after, transition.before)
  }

  /// Waits for the next action of exactly one type, or until a time has passed.
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - timeout: The longest time to wait; `nil` sets no limit.
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  /// - Returns: The action, with the states after and before it; `nil` if the time has passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or over; an error of the
  ///   clock.
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
  ///   - predicate: The predicate, which is called for every action, as the predicate of a
  ///     ``Listener`` is. If the predicate throws, the wait continues.
  /// - Returns: The action, with the states after and before it.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or over.
  @discardableResult
  public func take(
    doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State) {
    let transition = try await untimed(.predicate(predicate), doing: start)
    return (transition.action, transition.after, transition.before)
  }

  /// Waits for the next action that satisfies a predicate, or until a time has passed.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; `nil` sets no limit.
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, as the predicate of a
  ///     ``Listener`` is. If the predicate throws, the wait continues.
  /// - Returns: The action, with the states after and before it; `nil` if the time has passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or over; an error of the
  ///   clock.
  @discardableResult
  public func take(
    timeout: Duration?, doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State)? {
    try await wait(for: .predicate(predicate), timeout: timeout, doing: start).map { transition in
      (transition.action, transition.after, transition.before)
    }
  }

  /// Waits for an action that satisfies a predicate, which is most often a condition on the
  /// state after the action.
  ///
  /// The predicate is called only for actions, and not for the state at the beginning of the
  /// wait.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; `nil` sets no limit.
  ///   - start: A closure that is called after the wait has begun. The wait receives the
  ///     actions that the closure dispatches.
  ///   - predicate: The predicate, which is called for every action, as the predicate of a
  ///     ``Listener`` is. If the predicate throws, the wait continues.
  /// - Returns: A Boolean value that indicates whether such an action came before the time had
  ///   passed.
  /// - Throws: ``ListenerError`` immediately when the run is canceled or over; an error of the
  ///   clock.
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

/// A rule for matching actions that arrive while the effect of a listener is running for other
/// actions.
///
/// The rule is applied when the action is delivered, in commit order, and not when a task
/// begins. It is therefore exact, however quickly actions follow each other. The names come
/// from redux-saga.
public enum ListenerTaking: Hashable, Sendable {
  /// Each action starts a run, regardless of other runs.
  case every
  /// Each action starts a run, and cancels the runs before it first.
  ///
  /// With a ``ListenerContext/delay(for:)`` at its beginning, the effect is debounced.
  case latest
  /// An action starts a run unless another run is running, canceled or not.
  ///
  /// With a ``ListenerContext/delay(for:)`` at its end, the effect is throttled.
  case leading
  /// The first action starts a run, and unsubscribes the listener as
  /// ``ListenerContext/unsubscribe()`` does.
  case once
}
