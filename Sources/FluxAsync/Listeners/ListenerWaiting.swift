public import FluxCore

// Waiting for actions that are yet to come.
//
// A wait hears of what is delivered after it was called. What somebody dispatches before, even on another task, it may
// miss; hence `doing`, which is run when the wait can miss nothing any more.

extension ListenerContext {
  /// Waits for the next action of an exact type.
  ///
  /// ```swift
  /// let (found, _, _) = try await listener.take(of: Found.self, doing: { listener.dispatch(Search("flux")) })
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - start: Called once the wait has begun: what it dispatches is not missed.
  /// - Returns: The action, with the states after and before it.
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over.
  @discardableResult
  public func take<Awaited: Action>(
    of type: Awaited.Type, doing start: () -> Void = {}
  ) async throws -> (action: Awaited, current: State, previous: State) {
    let transition = try await untimed(.types([type]), doing: start)
    return (transition.action.knownToBe(Awaited.self), transition.after, transition.before)
  }

  /// Waits for the next action of an exact type, or until a time has passed.
  ///
  /// - Parameters:
  ///   - type: The type of the action.
  ///   - timeout: How long to wait at the longest; `nil` is for ever.
  ///   - start: Called once the wait has begun: what it dispatches is not missed.
  /// - Returns: The action, with the states after and before it; `nil` when the time was over before.
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over; an error of the clock.
  @discardableResult
  public func take<Awaited: Action>(
    of type: Awaited.Type, timeout: Duration?, doing start: () -> Void = {}
  ) async throws -> (action: Awaited, current: State, previous: State)? {
    try await wait(for: .types([type]), timeout: timeout, doing: start).map { transition in
      (transition.action.knownToBe(Awaited.self), transition.after, transition.before)
    }
  }

  /// Waits for the next action that a predicate picks.
  ///
  /// - Parameters:
  ///   - predicate: Asked for every action, as that of a ``Listener``. When it throws the wait goes on.
  ///   - start: Called once the wait has begun: what it dispatches is not missed.
  /// - Returns: The action, with the states after and before it.
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over.
  @discardableResult
  public func take(
    doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State) {
    let transition = try await untimed(.predicate(predicate), doing: start)
    return (transition.action, transition.after, transition.before)
  }

  /// Waits for the next action that a predicate picks, or until a time has passed.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at the longest; `nil` is for ever.
  ///   - start: Called once the wait has begun: what it dispatches is not missed.
  ///   - predicate: Asked for every action, as that of a ``Listener``. When it throws the wait goes on.
  /// - Returns: The action, with the states after and before it; `nil` when the time was over before.
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over; an error of the clock.
  @discardableResult
  public func take(
    timeout: Duration?, doing start: () -> Void = {},
    when predicate: @escaping ListenerPredicate<State>
  ) async throws -> (action: any Action, current: State, previous: State)? {
    try await wait(for: .predicate(predicate), timeout: timeout, doing: start).map { transition in
      (transition.action, transition.after, transition.before)
    }
  }

  /// Waits until an action comes that a predicate picks, most often by the state that it has led to.
  ///
  /// The state as it is when the wait begins is not looked at: only actions are.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait at the longest; `nil` is for ever.
  ///   - start: Called once the wait has begun: what it dispatches is not missed.
  ///   - predicate: Asked for every action, as that of a ``Listener``. When it throws the wait goes on.
  /// - Returns: Whether such an action came before the time was over.
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over; an error of the clock.
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
