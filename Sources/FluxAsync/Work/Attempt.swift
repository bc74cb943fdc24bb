public import FluxCore

/// One attempt of a piece of work.
@usableFromInline
struct Attempt: Sendable {
  /// The number of the attempt, starting from 1.
  @usableFromInline let number: Int
  /// The error that the previous attempt threw.
  @usableFromInline let lastError: (any Error)?
  /// The scope of everything that the attempt starts.
  ///
  /// If the attempt can end before the work, this scope is separate from the scope of the work.
  let scope: EffectScope
  @usableFromInline let context: ActionContext

  /// Creates the only attempt of a piece of work.
  @usableFromInline
  init(of work: Work) {
    number = 1
    lastError = nil
    scope = work.scope
    context = work.context
  }

  /// Creates an attempt that can end before the work.
  init(_ number: Int, of work: Work, after lastError: (any Error)?) {
    self.number = number
    self.lastError = lastError
    scope = EffectScope(within: work.scope)
    context = work.context
  }

  /// Dispatches an action for the attempt, unless the attempt has failed or the work was
  /// canceled.
  @Sendable @usableFromInline
  func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
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
