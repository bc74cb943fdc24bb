public import FluxCore

/// One attempt of a piece of work.
///
/// The attempt is an object, so that it is the context of its dispatch function, and copies of a
/// ``TaskContext`` are cheap.
@usableFromInline
final class Attempt: Sendable {
  /// The number of the attempt, starting from 1.
  @usableFromInline let number: Int
  /// The error that the previous attempt threw.
  @usableFromInline let lastError: (any Error)?
  /// The scope of everything that the attempt starts.
  ///
  /// If the attempt can end before the work, this scope is separate from the scope of the work.
  let scope: EffectScope
  private let work: Work

  /// The context in which the action of the work was dispatched.
  @usableFromInline var context: ActionContext { work.context }

  /// Creates the only attempt of a piece of work.
  init(of work: Work) {
    number = 1
    lastError = nil
    scope = work.scope
    self.work = work
  }

  /// Creates an attempt that can end before the work.
  init(_ number: Int, of work: Work, after lastError: (any Error)?) {
    self.number = number
    self.lastError = lastError
    scope = EffectScope(within: work.scope)
    self.work = work
  }

  /// Dispatches an action for the attempt, unless the attempt has failed or the work was
  /// canceled.
  @Sendable @usableFromInline
  func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
  }

  /// Returns the state of the store, or `nil` if the store was released.
  ///
  /// - Throws: An error with the code ``WorkError/Code/otherState`` if the state is not of the
  ///   given type.
  @inlinable
  func state<State: Sendable>(of type: State.Type, for action: some Action) throws -> State? {
    if let state = context.state(of: type) { return state }
    return try noState(of: type, for: action)
  }

  @usableFromInline
  func noState<State>(of type: State.Type, for action: any Action) throws -> State? {
    if context.hasStoreGone { return nil }
    throw WorkError.otherState(type, of: action)
  }

  /// Drops the actions that the attempt itself dispatches from now on.
  func close() {
    scope.close()
  }

  /// Ends the attempt and everything that it has started, and waits until no thread is
  /// dispatching actions for the attempt.
  func stop() async {
    scope.end()
    await scope.untilDispatched()
  }
}

extension Attempt: ProxyUser {
  @usableFromInline package var serviceUser: ServiceUser? { work.steps.serviceUser }

  /// Dispatches an action for the attempt, as ``dispatch(_:)`` does.
  @usableFromInline
  package func dispatch(_ action: any Action, in context: ActionContext) {
    dispatch(action)
  }
}
