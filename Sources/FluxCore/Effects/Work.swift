/// A piece of work, from the time its action arrives until its operation has returned.
///
/// The engine determines when the work begins and when it is canceled. The methods of this type
/// report the events of the work to the engine. The object is the context of both the closure that
/// starts the work and the closure of its task, so neither closure allocates memory.
///
/// The object is also the scope of everything that the work starts.
///
/// The engine retains the steps of the work until the work has ended. A context that the user keeps
/// afterward retains the work, but not the action and the objects that the action contains.
//
// The compiler does not check the class, because it has a superclass. All properties are constants
// of Sendable types.
@usableFromInline
package final class Work: EffectScope, @unchecked Sendable {
  /// The context in which the action of the work was dispatched.
  @usableFromInline package let context: ActionContext
  /// The code that looks up services, for errors.
  @usableFromInline package let serviceUser: ServiceUser?
  /// The end of the debounce or throttle interval, or `nil` if the work does not wait for one.
  @usableFromInline package let deadline: Duration?

  /// Creates work that was started in a scope.
  ///
  /// - Parameters:
  ///   - node: The node of the work.
  ///   - scope: The scope in which the work was started.
  ///   - parent: The node that contains the work: the node of the scope, or of an outer scope.
  ///   - context: The context in which the action of the work was dispatched.
  ///   - serviceUser: The code that looks up services, for errors.
  ///   - deadline: The end of the debounce or throttle interval, or `nil` if there is none.
  init(
    _ node: WorkStateMachine.NodeID, below scope: EffectScope, at parent: WorkStateMachine.NodeID,
    _ context: ActionContext, _ serviceUser: ServiceUser, until deadline: Duration?
  ) {
    self.context = context
    self.serviceUser = serviceUser
    self.deadline = deadline
    super.init(node, below: scope, at: parent)
  }

  /// The scope of everything that the work starts, which is the work itself.
  @usableFromInline package var scope: EffectScope { self }

  /// A Boolean value that indicates whether the work was canceled.
  package var isCancelled: Bool { engine.isCancelled(node) }

  /// Cancels the work and everything that it has started.
  package func cancel(because reason: String?) {
    engine.markCancelled(node, because: reason).perform()
  }

  /// Dispatches an action as part of the work, unless the work was canceled.
  @Sendable
  package func dispatch(_ action: any Action) {
    context.dispatch(action, in: self)
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
  @usableFromInline package func proceed() -> WorkEngine.NextStep { engine.proceed(node) }

  /// Waits until the next step may have changed.
  @usableFromInline package nonisolated(nonsending) func untilResumed() async {
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
