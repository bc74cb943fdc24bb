/// Whether reducers are being run once more, to recompute a state, and not for an action that has just come.
///
/// A history inside another one's reducer must not record what it is asked to repeat. Reducers run on one
/// thread from beginning to end, so a value that belongs to the task, or to the thread when there is no task,
/// says it.
enum Recomputation {
  @TaskLocal static var isRunning = false
}
