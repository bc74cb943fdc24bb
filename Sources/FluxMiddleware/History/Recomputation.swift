/// A flag that indicates whether reducers run again to recompute a state, and not for a new
/// action.
///
/// A history inside the reducer of another history must not record the actions that are
/// repeated. A reducer runs on one thread from beginning to end, so a task-local value is
/// sufficient. It belongs to the task, or to the thread if there is no task.
enum Recomputation {
  @TaskLocal static var isRunning = false
}
