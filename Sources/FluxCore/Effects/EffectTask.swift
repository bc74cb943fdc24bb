import Synchronization

/// An entry that a scope waits for and can cancel.
///
/// An entry represents either a task or work. The entry for a task is added to the scope before
/// the task is created, and therefore before the task can finish or be canceled. An entry for
/// work has a task during only part of the entry's lifetime.
package final class EffectTask: Sendable {
  /// A closure that marks everything that belongs to a task as canceled.
  ///
  /// The closure must not call user code. User code is called only after everything in the
  /// cancellation has been marked as canceled.
  package typealias CancellationMark = @Sendable (inout Cancellation) -> Void

  private struct Contents {
    var task: Task<Void, Never>?
    var mark: CancellationMark?
    var isCancelled = false
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// The position of the task in the order in which tasks were started.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  private let contents: Locked<Contents>

  init(onCancel mark: CancellationMark?) {
    contents = Locked(Contents(mark: mark))
  }

  /// Stores the task, and cancels it immediately if the entry was canceled.
  package func run(_ task: Task<Void, Never>) {
    let isCancelled = contents.withLock { contents in
      contents.task = task
      return contents.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func finish() {
    let old = contents.withLock { contents in (contents.mark.take(), contents.task.take()) }
    withExtendedLifetime(old) {}
  }

  /// Cancels the task.
  package func cancel() {
    var cancellation = Cancellation()
    cancel(&cancellation)
    cancellation.carryOut()
  }

  /// Marks the task as canceled, as part of a larger cancellation.
  package func cancel(_ cancellation: inout Cancellation) {
    let (task, mark) = contents.withLock { contents in
      contents.isCancelled = true
      return (contents.task, contents.mark.take())
    }
    mark?(&cancellation)
    if let task { cancellation.cancel(task) }
  }
}

/// The tasks to cancel, and the closures to call, after everything in a cancellation has been
/// marked as canceled.
///
/// Marking tasks as canceled does not call user code. Therefore, when the first task is canceled
/// or the first closure is called, no other work in the cancellation can begin or dispatch.
package struct Cancellation: Sendable {
  private var tasks: [Task<Void, Never>] = []
  private var notices: [@Sendable () -> Void] = []

  package init() {}

  /// Adds a task to cancel.
  mutating func cancel(_ task: Task<Void, Never>) {
    tasks.append(task)
  }

  /// Adds a closure to call after all tasks have been canceled.
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
