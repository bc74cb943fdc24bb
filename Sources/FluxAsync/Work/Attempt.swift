public import FluxCore

/// One attempt of a piece of work.
///
/// Work with a policy that allows one attempt without a time limit is its own attempt. All other
/// attempts are separate objects, which can end before the work.
@usableFromInline
protocol Attempt: ProxyUser {
  /// The number of the attempt, starting from 1.
  var attemptNumber: Int { get }
  /// The error that the previous attempt threw.
  var lastError: (any Error)? { get }
  /// The context in which the action of the work was dispatched.
  var context: ActionContext { get }
  /// The scope of everything that the attempt starts.
  var scope: EffectScope { get }
  /// A function that dispatches an action for the attempt, unless the attempt has failed or the
  /// work was canceled.
  var dispatchFunction: DispatchFunction { get }

  /// Reports to the running test that the attempt reads the state that its context keeps.
  func readsKeptState()
}

extension Attempt {
  /// Returns the state of the store for a context that keeps it, or `nil` if the store was
  /// released.
  ///
  /// - Throws: An error with the code ``WorkError/Code/otherState`` if the state is not of the
  ///   given type.
  @inlinable @inline(__always)
  func stateToKeep<State: Sendable>(of type: State.Type, for action: some Action) throws -> State? {
    let context = context
    if let state = context.stateToKeep(of: type) {
      context.keepsState()
      return state
    }
    try context.throwUnlessReleased(expecting: type, for: action)
    return nil
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

extension Work: Attempt {
  @usableFromInline var attemptNumber: Int { 1 }
  @usableFromInline var lastError: (any Error)? { nil }
  @usableFromInline var dispatchFunction: DispatchFunction { dispatch }

  @usableFromInline
  func readsKeptState() {
    context.readsKeptState()
  }

  /// Dispatches an action for the work, unless the work was canceled.
  @usableFromInline
  package func dispatch(_ action: any Action, in context: ActionContext) {
    dispatch(action)
  }
}

/// An attempt that can end before its work, with a separate scope.
final class SeparateAttempt: Attempt {
  let attemptNumber: Int
  let lastError: (any Error)?
  let scope: EffectScope
  private let work: Work

  init(_ number: Int, of work: Work, after lastError: (any Error)?) {
    attemptNumber = number
    self.lastError = lastError
    scope = EffectScope(within: work.scope)
    self.work = work
  }

  var context: ActionContext { work.context }
  var dispatchFunction: DispatchFunction { dispatch }
  var serviceUser: ServiceUser? { work.serviceUser }

  func readsKeptState() {
    context.readsKeptState()
  }

  @Sendable
  private func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
  }

  func dispatch(_ action: any Action, in context: ActionContext) {
    dispatch(action)
  }
}

extension ActionContext {
  /// Throws an error that names the type of state that an action requires, unless the store was
  /// released.
  ///
  /// A context has no state of a type if the store was released or if its state is of another type.
  ///
  /// - Throws: An error with the code ``WorkError/Code/otherState``.
  @usableFromInline
  func throwUnlessReleased(expecting type: Any.Type, for action: any Action) throws {
    if state != nil { throw WorkError.otherState(type, of: action) }
  }
}
