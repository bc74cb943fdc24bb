/// The steps of one kind of work, such as the work of a request or a plan.
///
/// The steps are an object, so the engine and the task of the work share them without copying the
/// action.
@usableFromInline
package protocol WorkSteps: AnyObject, Sendable {
  /// The action that carries the work.
  var action: any Action { get }

  /// The code that looks up services, for errors.
  ///
  /// The default names the type of the action.
  var serviceUser: ServiceUser { get }

  /// A Boolean value that indicates whether the work has a first step, which is performed before
  /// its task starts, if possible.
  ///
  /// The default is `false`.
  var hasFirstStep: Bool { get }

  /// A Boolean value that indicates whether the work is still wanted.
  ///
  /// The property is read if the work had to wait, or if other work may have ended since the
  /// action arrived. Reading the property does not dispatch actions. The default is `true`.
  var isStillWanted: Bool { get }

  /// Records the work on the dispatching thread, before the action is reduced.
  ///
  /// The method does not dispatch actions.
  func arrived(as work: Work)

  /// Performs the first step after the action is reduced.
  ///
  /// The method is called on the dispatching thread, unless the work had to wait.
  func begin(_ work: Work, isWanted: Bool) -> FirstStep

  /// Starts the task that performs the work.
  ///
  /// The default starts a task that calls ``run(_:)``.
  func startTask(of work: Work) -> StartedTask

  /// Performs the work in its task, including all attempts that the policy allows.
  nonisolated(nonsending) func run(_ work: Work) async throws

  /// Reports the error that ``run(_:)`` has thrown.
  func failed(_ work: Work, _ error: any Error)

  /// Reports that the work will never begin, because its policy drops it or its scope has ended.
  func neverBegins(isDropped: Bool)

  /// Reports that the work was canceled before its result was known.
  ///
  /// The engine calls this method once, outside its lock.
  func cancelled(because reason: String?)

  /// Reports that the operation of work that has arrived has returned, or will never run.
  func ended()
}

/// The result of the first step of work.
@usableFromInline
package enum FirstStep: Sendable {
  /// The work continues in a task.
  case continues
  /// The work is done.
  case ends
  /// The work is not wanted and did nothing.
  case isUnwanted
}

extension WorkSteps {
  @usableFromInline package var serviceUser: ServiceUser { ServiceUser(type(of: action)) }
  @inlinable package var hasFirstStep: Bool { false }
  @inlinable package var isStillWanted: Bool { true }
  @inlinable package func arrived(as work: Work) {}
  @inlinable package func begin(_ work: Work, isWanted: Bool) -> FirstStep { .continues }
  @inlinable package func neverBegins(isDropped: Bool) {}
  @inlinable package func cancelled(because reason: String?) {}
  @inlinable package func ended() {}
}
