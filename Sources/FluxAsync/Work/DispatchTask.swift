public import FluxCore

/// A handle for a dispatch and all work that the dispatch started.
///
/// Use the handle to wait for the work or to cancel it.
///
/// ```swift
/// let loading = store.dispatchAsync(LoadLibrary())
/// await loading.finished()
/// ```
///
/// The following work belongs to the dispatch: the tasks that the action started, the tasks of
/// actions that these tasks dispatched, and so on. Work that observers started on the
/// dispatching thread before `dispatchAsync` returned also belongs to the dispatch. The
/// observers may have been called for an action that another thread dispatched. A `Task` or a
/// callback that your ``AsyncAction`` starts does not belong to the dispatch, because the store
/// cannot determine when the task or the callback is done. Actions that a callback of an
/// ``AsyncAction`` dispatches belong to the dispatch.
///
/// Releasing the handle does not cancel the work. ``FluxCore/Store/sendAsCancellable(_:)``
/// returns a token that cancels the work when the token is released. The handle is safe to use
/// from any thread.
public struct DispatchTask: Sendable {
  @usableFromInline let scope: EffectScope

  init(scope: EffectScope) {
    self.scope = scope
  }

  /// Runs a closure that dispatches actions, and returns a handle for the work that the actions
  /// start.
  @usableFromInline
  static func gathering(in effects: EffectScope, _ dispatch: () -> Void) -> DispatchTask {
    let scope = EffectScope(within: effects.joinedByCurrent)
    EffectScope.withCurrent(scope, operation: dispatch)
    return DispatchTask(scope: scope)
  }

  /// A Boolean value that indicates whether some work of the dispatch is still running.
  public var isRunning: Bool { scope.count > 0 }

  /// A Boolean value that indicates whether the dispatch was canceled or the store was
  /// released.
  public var isCancelled: Bool {
    Timeline.stepAffectsOthers()
    return scope.hasEnded
  }

  /// Cancels all work of the dispatch, and prevents further work from starting.
  ///
  /// Canceling a second time has no effect.
  public func cancel() {
    scope.end()
  }

  /// Waits until all work of the dispatch is done.
  ///
  /// If the waiting task is canceled, the work is canceled too, and the method waits until the
  /// work has ended.
  @inlinable
  public nonisolated(nonsending) func finished() async {
    if await !scope.finishedUnlessCancelled() { await cancelAndFinish() }
  }

  /// Cancels the work and waits until it has ended.
  ///
  /// Canceling the work calls the user's code. A cancellation handler must not call the user's
  /// code, because the handler runs while the waiting task is locked.
  @usableFromInline
  nonisolated(nonsending) func cancelAndFinish() async {
    scope.end()
    await scope.finished()
  }
}

extension Store {
  /// Dispatches an action, as ``/FluxCore/Store/dispatch(_:)`` does, and returns a handle for
  /// the work.
  ///
  /// When the method returns, the action has been reduced, as with `dispatch`. The work of the
  /// action can still be running.
  @discardableResult @inlinable
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    DispatchTask.gathering(in: effects) { dispatch(action) }
  }

  /// Dispatches an action, and returns a token that cancels the work when the token is canceled
  /// or released.
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }
}

extension StoreProxy {
  /// Dispatches an action, as ``/FluxCore/StoreProxy/dispatch(_:)`` does, and returns a handle
  /// for the work.
  @discardableResult
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    DispatchTask.gathering(in: scopeOfDispatches) { dispatch(action) }
  }

  /// Dispatches an action, and returns a token that cancels the work when the token is canceled
  /// or released.
  ///
  /// The name of the method comes from SwiftDux.
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }
}
