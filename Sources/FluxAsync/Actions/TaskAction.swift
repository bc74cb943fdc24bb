public import FluxCore

/// An action whose work is a task: ``AsyncAction`` for code that awaits.
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
/// The store starts the task once the action has arrived at the end of the chain and been reduced, or when the policy
/// says: what the work dispatches is reduced after the action itself. It is cancelled with the store, with the dispatch it belongs to
/// (``FluxCore/Store/dispatchAsync(_:)``), by its policy, and by ``CancelWork``.
///
/// What `execute` throws is told, once it is not tried again: to the handler of
/// ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``, or as a ``WorkFailed``.
///
/// - Important: As with ``AsyncAction``, the conformance has to stand where the type becomes an `Action`.
public protocol TaskAction: WorkAction {
  /// The state it works with: that of the store, or a protocol to which that conforms.
  associatedtype State: Sendable

  /// Does the work.
  ///
  /// Called in a task of its own, once for each arrival and each further try that the policy grants.
  ///
  /// - Parameters:
  ///   - state: The state as it is when the work begins.
  ///   - dispatch: Dispatches through the whole chain, from any thread, also after this has returned. Once the work is
  ///     cancelled, the try has failed, or the store has gone, it does nothing.
  func execute(state: State, dispatch: @escaping DispatchFunction) async throws
}

extension TaskAction {
  /// Prepares the work, and returns a closure that starts its task.
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    context.start(
      self, policy: policy,
      WorkSteps { work, environment in
        let dispatch = environment.context.dispatch
        try await environment.runWithinPolicy(work) { attempt in
          guard let state = environment.context.state else { return }
          guard let state = state as? State else { throw WorkError.otherState(State.self, of: self) }
          try await execute(state: state) { action in attempt.dispatch(action, by: dispatch) }
        }
      })
  }
}
