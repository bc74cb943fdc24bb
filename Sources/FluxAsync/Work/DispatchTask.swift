public import FluxCore

/// A dispatch that can be waited for and cancelled, with all the work that it started.
///
/// ```swift
/// let loading = store.dispatchAsync(LoadLibrary())
/// await loading.finished()
/// ```
///
/// What belongs to it: the tasks that the action started, those of the actions that these dispatched, and so on; also what
/// observers started that were called on this thread before `dispatchAsync` returned, which may be for another thread's action. What does not: a `Task` or a callback of your own
/// that an ``AsyncAction`` sets going, since nobody can know when it is done (what such a callback then dispatches does
/// belong to it).
///
/// Letting go of it changes nothing; ``FluxCore/Store/sendAsCancellable(_:)`` gives a token that cancels when it is dropped. Safe from
/// any thread.
public struct DispatchTask: Sendable {
  private let scope: EffectScope

  init(scope: EffectScope) {
    self.scope = scope
  }

  /// Runs a closure that dispatches, and gathers the work that this starts.
  static func gathering(in effects: EffectScope, _ dispatch: () -> Void) -> DispatchTask {
    let scope = EffectScope(within: effects.joinedByCurrent)
    EffectScope.$current.withValue(scope, operation: dispatch)
    return DispatchTask(scope: scope)
  }

  /// Whether some of the work is still running.
  public var isRunning: Bool { scope.count > 0 }

  /// Whether it has been cancelled, or its store has gone.
  public var isCancelled: Bool { scope.hasEnded }

  /// Cancels all the work, and lets no more of it start; cancelling again changes nothing.
  public func cancel() {
    scope.end()
  }

  /// Waits until all the work is done.
  ///
  /// When the task that waits is cancelled, the work is too, and this still waits for its end.
  public func finished() async {
    let end = OneShot<Bool>()
    scope.whenFinished { end.fire(true) }
    // Cancelled here and not in the handler, where the task that waits is locked: it calls the user's code.
    guard await end.wait(ifCancelled: false) == false else { return }
    scope.end()
    await scope.finished()
  }

  /// The work that has arrived.
  var work: EffectScope.WorkCount { scope.work }
}

extension Store {
  /// Sends an action, as ``/FluxCore/Store/dispatch(_:)`` does, and returns what to wait for or to cancel.
  ///
  /// When it returns the action has been reduced, as after `dispatch`; its work may go on.
  @discardableResult
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    DispatchTask.gathering(in: effects) { dispatch(action) }
  }

  /// Sends an action whose work is cancelled when the token is, or is dropped.
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }
}

extension StoreProxy {
  /// Sends an action, as ``/FluxCore/StoreProxy/dispatch(_:)`` does, and returns what to wait for or to cancel.
  @discardableResult
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    DispatchTask.gathering(in: context.scope) { dispatch(action) }
  }

  /// Sends an action whose work is cancelled when the token is, or is dropped.
  ///
  /// The name is SwiftDux's.
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }
}
