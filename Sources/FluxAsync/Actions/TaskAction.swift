public import FluxCore

/// An action whose work is an asynchronous task.
///
/// ```swift
/// struct FetchDetail: TaskAction {
///   let movie: Int
///   var policy: WorkPolicy { .latest.retrying(.times(2)) }
///
///   func execute(in context: TaskContext<AppState>) async throws {
///     let films = try context.services((any FilmService).self)
///     context.dispatch(SetDetail(try await films.detail(of: movie)))
///   }
/// }
/// ```
///
/// Implement either ``execute(in:)`` or ``execute(state:dispatch:)``. The second method has no
/// access to the services of the store.
///
/// The store starts the task after the action has passed through the chain and the reducer, or
/// later if the policy delays the start. Actions that the work dispatches are therefore reduced
/// after the action itself. The task is canceled when the store is released, and when the
/// dispatch that the task belongs to (``FluxCore/Store/dispatchAsync(_:)``) is canceled. The
/// policy and ``CancelWork`` can also cancel the task.
///
/// If `execute` throws and the policy allows no further attempt, the error is reported to the
/// handler of ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``. Without a handler,
/// the error is dispatched as a ``WorkFailed``.
///
/// - Important: As with ``AsyncAction``, declare the conformance where the type first conforms
///   to `Action`.
public protocol TaskAction: WorkAction {
  /// The type of the state that the work uses: the type of the store's state, or a protocol to
  /// which that type conforms.
  associatedtype State: Sendable

  /// Performs one attempt of the work, and can look up the services of the store.
  ///
  /// The store calls this method in a task, each time the action arrives at the end of the chain,
  /// and again for each retry that the policy allows.
  ///
  /// The default calls ``execute(state:dispatch:)``.
  ///
  /// - Parameter context: The state at the beginning of the attempt, the services, and a dispatch
  ///   function.
  func execute(in context: TaskContext<State>) async throws

  /// Performs one attempt of the work.
  ///
  /// The store calls this method in a task, each time the action arrives at the end of the chain,
  /// and again for each retry that the policy allows. If the action implements ``execute(in:)``,
  /// the store does not call this method.
  ///
  /// The default stops the program with a message. The compiler infers the type of the state from
  /// the implemented method, so an action that implements neither method does not compile, unless
  /// it declares the type of the state.
  ///
  /// - Parameters:
  ///   - state: The state when the attempt begins.
  ///   - dispatch: A closure that dispatches an action through the whole chain. You can call the
  ///     closure from any thread, even after this method has returned. The closure does nothing
  ///     after the store was released or the work was canceled. If the policy retries the work
  ///     or limits its time, the closure also does nothing after the attempt has failed.
  func execute(state: State, dispatch: @escaping DispatchFunction) async throws

  /// Performs one attempt of the work, in a store whose state can have any type.
  ///
  /// The default calls ``execute(in:)``, or throws an error if the state is not of the type that
  /// the work uses. The store calls this method. Apps do not call or implement it.
  nonisolated(nonsending) func _execute(in context: __owned TaskContext<Void>) async throws
}

extension TaskAction {
  /// Calls ``execute(state:dispatch:)`` with the values of the context.
  @inlinable
  public func execute(in context: TaskContext<State>) async throws {
    try await execute(state: context.state, dispatch: context.dispatch)
  }

  /// Stops the program, because the action implements neither method.
  public func execute(state: State, dispatch: @escaping DispatchFunction) async throws {
    Misuse.executesNothing(self)
  }

  /// Calls ``execute(in:)`` with the state of the store.
  ///
  /// The compiler specializes this method for the type of the action.
  @inlinable @inline(__always)
  nonisolated(nonsending) public func _execute(in context: __owned TaskContext<Void>) async throws {
    guard let state = try context.current.stateToKeep(of: State.self, for: self) else { return }
    try await execute(in: TaskContext(state: state, context.current))
  }

  /// Prepares the work, and returns a closure that starts the task.
  @inlinable
  public func _startWork(in context: ActionContext) -> WorkStart? {
    context.start(self, of: type(of: self), policy)
  }
}

extension ActionContext {
  /// Prepares the work of a task action.
  ///
  /// - Parameters:
  ///   - task: The action.
  ///   - type: The type of the action.
  ///   - policy: The policy that the action specifies.
  @usableFromInline
  func start(_ task: any TaskAction, of type: any TaskAction.Type, _ policy: WorkPolicy) -> WorkStart? {
    let policy = policySetByPlugin(for: task) ?? policy
    return start(TaskSteps(task, of: type, policy.attempts), of: type, policy)
  }
}

/// The steps of a task action.
private final class TaskSteps: WorkSteps {
  private let task: any TaskAction
  private let type: any TaskAction.Type
  private let attempts: AttemptRules?

  init(_ task: any TaskAction, of type: any TaskAction.Type, _ attempts: AttemptRules?) {
    self.task = task
    self.type = type
    self.attempts = attempts
  }

  var action: any Action { task }
  var serviceUser: ServiceUser { ServiceUser(type) }

  @inline(__always)
  nonisolated(nonsending) func run(_ work: Work) async throws {
    if let attempts { return try await run(attempts, of: work) }
    try await task._execute(in: TaskContext(work))
  }

  // The frame of most tasks remains small because this method has its own frame.
  @inline(never)
  private nonisolated(nonsending) func run(_ attempts: AttemptRules, of work: Work) async throws {
    try await work.attempt(attempts, of: self) { [task] in try await task._execute(in: TaskContext($0)) }
  }
}
