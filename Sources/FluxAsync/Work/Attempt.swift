import FluxCore

/// One attempt of a piece of work.
final class Attempt: Sendable {
  /// The number of the attempt, starting from 1.
  let number: Int
  /// The error that the previous attempt threw.
  let lastError: (any Error)?
  /// The scope of everything that the attempt starts.
  ///
  /// If the attempt can end before the work, this scope is separate from the scope of the work.
  private let scope: EffectScope
  private let isOver = Locked(false)

  init(_ number: Int, after lastError: (any Error)?, in scope: EffectScope) {
    self.number = number
    self.lastError = lastError
    self.scope = scope
  }

  /// Creates the only attempt of a piece of work.
  convenience init(of work: Work) {
    self.init(1, after: nil, in: work.scope)
  }

  /// Dispatches an action for the attempt, unless the attempt is over or the work was canceled.
  func dispatch(_ action: any Action, by dispatch: DispatchFunction) {
    scope.whileLoud {
      guard !isOver.withLock({ $0 }), !scope.hasEnded else { return }
      scope.gather { dispatch(action) }
    }
  }

  /// Runs an operation in the scope of the attempt.
  ///
  /// Everything that the operation starts belongs to the scope of the attempt.
  func run<Value: Sendable>(_ operation: @Sendable (Attempt) async throws -> Value) async throws -> Value {
    try await EffectScope.$current.withValue(scope) { try await operation(self) }
  }

  /// Ends the attempt, so that actions that the attempt dispatches later are dropped.
  func end() {
    _ = isOver.exchange(true)
  }

  /// Ends the attempt and everything that it has started, and waits until no thread is
  /// dispatching actions for the attempt.
  func stop() async {
    end()
    scope.end()
    await scope.untilQuiet()
  }
}
