public import FluxCore

/// An action whose work is an asynchronous task.
///
/// ```swift
/// struct FetchDetail: TaskAction {
///   let movie: Int
///   var policy: WorkPolicy { .latest.retrying(.times(2)) }
///
///   func execute(state: AppState, dispatch: @escaping DispatchFunction) async throws {
///     dispatch(SetDetail(try await service.detail(of: movie)))
///   }
/// }
/// ```
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

  /// Performs one attempt of the work.
  ///
  /// The store calls this method in a task, each time the action arrives at the end of the chain,
  /// and again for each retry that the policy allows.
  ///
  /// - Parameters:
  ///   - state: The state when the attempt begins.
  ///   - dispatch: A closure that dispatches an action through the whole chain. You can call the
  ///     closure from any thread, even after this method has returned. The closure does nothing
  ///     after the store was released or the work was canceled. If the policy retries the work
  ///     or limits its time, the closure also does nothing after the attempt has failed.
  func execute(state: State, dispatch: @escaping DispatchFunction) async throws
}

extension TaskAction {
  /// Prepares the work, and returns a closure that starts the task.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    context.start(self, policy: policy, TaskSteps(action: self))
  }
}

/// The steps of a task action.
private struct TaskSteps<Task: TaskAction>: WorkSteps {
  let action: Task

  func run(_ work: Work) async throws {
    try await work.attempt { [action] attempt in
      guard let state = work.context.state else { return }
      guard let state = state as? Task.State else { throw WorkError.otherState(Task.State.self, of: action) }
      try await action.execute(state: state) { attempt.dispatch($0) }
    }
  }
}
