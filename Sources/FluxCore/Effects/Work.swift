/// A piece of work, from the time its action arrives until its operation has returned.
///
/// The engine determines when the work begins and when it is canceled. The methods of this type
/// report the events of the work to the engine. The object is the context of both the closure that
/// starts the work and the closure of its task, so neither closure allocates memory.
///
/// The engine retains the steps of the work until the work has ended. A context that the user keeps
/// afterward retains the work, but not the action and the objects that the action contains.
@usableFromInline
package final class Work: Sendable {
  /// The scope of everything that the work starts.
  @usableFromInline package let scope: EffectScope
  /// The context in which the action of the work was dispatched.
  @usableFromInline package let context: ActionContext
  /// The code that looks up services, for errors.
  @usableFromInline package let serviceUser: ServiceUser?
  /// The end of the debounce or throttle interval, or `nil` if the work does not wait for one.
  package let deadline: Duration?
  /// A Boolean value that indicates whether the work was wanted before the action was reduced, or
  /// `nil` if the steps determine it when the work begins.
  package let wasWanted: Bool?

  private var engine: WorkEngine { scope.engine }
  private var node: WorkStateMachine.NodeID { scope.node }

  package init(
    _ steps: any WorkSteps, in scope: EffectScope, _ context: ActionContext, at deadline: Duration?,
    wasWanted: Bool?
  ) {
    serviceUser = steps.serviceUser
    self.scope = scope
    self.context = context
    self.deadline = deadline
    self.wasWanted = wasWanted
  }

  /// A Boolean value that indicates whether the work was canceled.
  package var isCancelled: Bool { engine.isCancelled(node) }

  /// Cancels the work and everything that it has started.
  package func cancel(because reason: String?) {
    engine.markCancelled(node, because: reason).perform()
  }

  /// Dispatches an action as part of the work, unless the work was canceled.
  @Sendable
  package func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
  }

  // MARK: Events

  /// Records that the action that carries the work was reduced, and returns the next step of the
  /// dispatching thread.
  package func reduced() -> WorkEngine.NextStep { engine.reduced(node) }

  /// Stores the task that performs the work.
  package func setTask(_ task: StartedTask) {
    engine.setTask(task, of: node)
  }

  /// Records that the debounce or throttle interval of the work has ended.
  package func woke(at now: Duration) {
    engine.woke(node, at: now)
  }

  /// Returns the next step of the task that performs the work.
  ///
  /// If the step is to wait, the task calls ``untilResumed()``, and then this method again.
  package func proceed() -> WorkEngine.NextStep { engine.proceed(node) }

  /// Waits until the next step may have changed.
  package nonisolated(nonsending) func untilResumed() async {
    await engine.untilResumed(node)
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
