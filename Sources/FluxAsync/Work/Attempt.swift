import FluxCore

/// One attempt of a piece of work.
final class Attempt: Sendable {
  /// The number of the attempt, starting from 1.
  let number: Int
  /// The error that the previous attempt threw.
  let lastError: (any Error)?
  /// The scope of everything that the attempt starts.
  ///
  /// It is separate from the scope of the work if the attempt can end before the work.
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

  /// Dispatches for the attempt, unless the attempt is over or the work was canceled.
  func dispatch(_ action: any Action, by dispatch: DispatchFunction) {
    scope.whileLoud {
      guard !isOver.withLock({ $0 }), !scope.hasEnded else { return }
      scope.gather { dispatch(action) }
    }
  }

  /// Runs the attempt, whose scope receives everything that the operation starts.
  func run<Value: Sendable>(_ operation: @Sendable (Attempt) async throws -> Value) async throws -> Value {
    try await EffectScope.$current.withValue(scope) { try await operation(self) }
  }

  /// Ends the attempt: actions that it dispatches from now on are dropped.
  func end() {
    _ = isOver.exchange(true)
  }

  /// Ends the attempt with everything that it has started, and waits until the scope of the
  /// attempt is quiet.
  func stop() async {
    end()
    scope.end()
    await scope.untilQuiet()
  }
}
