/// What is left to do once everything that is to be cancelled is marked as cancelled.
///
/// Marking calls nobody. So when the first task learns of it, and the first user's code is called, nothing that is
/// cancelled along with it can dispatch any more, or begin.
package struct Cancellation: Sendable {
  private var tasks: [Task<Void, Never>] = []
  private var notices: [@Sendable () -> Void] = []

  package init() {}

  /// Has a task cancelled.
  mutating func cancel(_ task: Task<Void, Never>) {
    tasks.append(task)
  }

  /// Has somebody told, after all tasks are cancelled.
  package mutating func tell(_ notice: @escaping @Sendable () -> Void) {
    notices.append(notice)
  }

  /// Cancels the tasks, then tells, in the order in which they were marked.
  ///
  /// For outside any lock.
  package func carryOut() {
    for task in tasks { task.cancel() }
    for notice in notices { notice() }
  }
}
