/// The tasks to cancel and the notices to send after everything in a cancellation is marked as
/// canceled.
///
/// Marking calls no user code. Therefore, when the first task is canceled and the first user
/// code is called, nothing else in the cancellation can still dispatch or begin.
package struct Cancellation: Sendable {
  private var tasks: [Task<Void, Never>] = []
  private var notices: [@Sendable () -> Void] = []

  package init() {}

  /// Adds a task to cancel.
  mutating func cancel(_ task: Task<Void, Never>) {
    tasks.append(task)
  }

  /// Adds a closure to call after all tasks are canceled.
  package mutating func tell(_ notice: @escaping @Sendable () -> Void) {
    notices.append(notice)
  }

  /// Cancels the tasks, and then calls the closures, both in the order in which they were
  /// added.
  ///
  /// The caller must not hold a lock.
  package func carryOut() {
    for task in tasks { task.cancel() }
    for notice in notices { notice() }
  }
}
