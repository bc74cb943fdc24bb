import Synchronization

/// A task-local flag that indicates whether the running reducers recompute a state, instead of
/// reducing a new action.
///
/// If a history runs inside the reducer of another history, it must not record the actions that
/// the other history reduces again. A reducer runs on one thread from beginning to end, so a
/// task-local value is sufficient. If no task is running, the value is local to the thread.
enum Recomputation {
  @TaskLocal private static var isRunningInTask = false

  /// A Boolean value that indicates whether the process has ever recomputed a state.
  private static let hasRun = Atomic(false)

  /// A Boolean value that indicates whether the development checks reduce the newest action a
  /// second time, to compare the results.
  @TaskLocal static var isCheck = false

  /// A Boolean value that indicates whether the running reducers recompute a state.
  static var isRunning: Bool { hasRun.load(ordering: .relaxed) && isRunningInTask }

  /// Calls a closure that recomputes a state.
  static func run<Result>(_ recompute: () throws -> Result) rethrows -> Result {
    hasRun.store(true, ordering: .relaxed)
    return try $isRunningInTask.withValue(true, operation: recompute)
  }
}
