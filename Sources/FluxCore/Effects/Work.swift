/// A piece of work, from the time its action arrives until its operation has returned.
///
/// The engine determines when the work begins and when it is canceled. The methods of this type
/// report the events of the work to the engine.
@usableFromInline
package struct Work: Sendable {
  /// The scope of everything that the work starts.
  @usableFromInline package let scope: EffectScope
  /// The context in which the action of the work was dispatched.
  @usableFromInline package let context: ActionContext

  private var engine: WorkEngine { scope.engine }
  private var node: WorkStateMachine.NodeID { scope.node }

  package init(scope: EffectScope, context: ActionContext) {
    self.scope = scope
    self.context = context
  }

  /// A Boolean value that indicates whether the work was canceled.
  package var isCancelled: Bool { engine.isCancelled(node) }

  /// Cancels the work and everything that it has started.
  package func cancel(because reason: String?) {
    engine.markCancelled(node, because: reason).perform()
  }

  /// Dispatches an action as part of the work, unless the work was canceled.
  package func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
  }

  // MARK: Events

  /// Records that the action that carries the work was reduced.
  package func reduced() -> WorkStateMachine.Progress { engine.reduced(node) }

  /// Stores the task that performs the work.
  package func setTask(_ task: Task<Void, Never>) {
    engine.setTask(task, of: node)
  }

  /// Records that the debounce or throttle interval of the work has ended.
  package func woke(at now: Duration) {
    engine.woke(node, at: now)
  }

  /// Waits until the work can begin.
  package nonisolated(nonsending) func proceed() async -> WorkStateMachine.Progress {
    var progress = engine.proceed(node)
    while progress == .waits {
      await engine.untilResumed(node)
      progress = engine.proceed(node)
    }
    return progress
  }

  /// Records that a thread has performed the first step of the work.
  ///
  /// - Returns: A Boolean value that indicates whether the work was canceled.
  package func began() -> Bool { engine.began(node) }

  /// Calls a closure that dispatches the result of the work, unless the work was canceled.
  package func settle(_ dispatch: () -> Void) {
    guard engine.settled(node) else { return }
    dispatch()
    engine.endDispatch(in: node)
  }

  /// Records that the operation of the work has returned, or will never run.
  package func returned(isIdle: Bool) {
    engine.returned(node, isIdle: isIdle)
  }
}
