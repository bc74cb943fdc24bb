import Synchronization

/// Something that a scope waits for and cancels: a task, noted there before it is made, so that it is there before it can
/// finish or be cancelled; or work, which has a task for a part of its time.
package final class EffectTask: Sendable {
  /// Marks what belongs to a task as cancelled.
  ///
  /// It must call nobody: that is for later.
  package typealias CancellationMark = @Sendable (inout Cancellation) -> Void

  private struct Contents {
    var task: Task<Void, Never>?
    var mark: CancellationMark?
    var isCancelled = false
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// Where it stands in the order in which tasks were started.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  private let contents: Locked<Contents>

  init(onCancel mark: CancellationMark?) {
    contents = Locked(Contents(mark: mark))
  }

  /// Notes the task, which is cancelled at once if this has been.
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

  /// Marks the task as cancelled, as part of a larger cancellation.
  package func cancel(_ cancellation: inout Cancellation) {
    let (task, mark) = contents.withLock { contents in
      contents.isCancelled = true
      return (contents.task, contents.mark.take())
    }
    mark?(&cancellation)
    if let task { cancellation.cancel(task) }
  }
}
