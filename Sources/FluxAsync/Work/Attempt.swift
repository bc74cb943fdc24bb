import FluxCore

/// One try of a piece of work.
final class Attempt: Sendable {
  /// Which try it is, from 1 on.
  let number: Int
  /// What the try before it has thrown.
  let lastError: (any Error)?
  /// What the try starts, in a scope of its own where it may end before the work does.
  private let scope: EffectScope
  private let isOver = Locked(false)

  init(_ number: Int, after lastError: (any Error)?, in scope: EffectScope) {
    self.number = number
    self.lastError = lastError
    self.scope = scope
  }

  /// The only try of a piece of work.
  convenience init(of work: Work) {
    self.init(1, after: nil, in: work.scope)
  }

  /// Dispatches for the try, unless it is over or the work was cancelled.
  func dispatch(_ action: any Action, by dispatch: DispatchFunction) {
    scope.whileLoud {
      guard !isOver.withLock({ $0 }), !scope.hasEnded else { return }
      scope.gather { dispatch(action) }
    }
  }

  /// Does the try: what it starts, however it does, belongs to it.
  func run<Value: Sendable>(_ operation: @Sendable (Attempt) async throws -> Value) async throws -> Value {
    try await EffectScope.$current.withValue(scope) { try await operation(self) }
  }

  /// What it dispatches from now on goes nowhere.
  func end() {
    _ = isOver.exchange(true)
  }

  /// Ends it with all that it has started, and waits until nothing of it dispatches any more.
  func stop() async {
    end()
    scope.end()
    await scope.untilQuiet()
  }
}
