import FluxCore

/// A task executor that queues the steps of tasks, and performs a step only when the driver of the
/// run calls ``perform(_:)``.
final class QueueingExecutor: StepExecutor, Sendable {
  private struct Contents: Sendable {
    var jobs: [Int: UnownedJob] = [:]
    var lastJob = 0
    var receive: (@Sendable (_ job: Int, _ task: Int?, _ thread: ThreadIdentity) -> Void)?
    var end: (@Sendable () -> Void)?
  }

  private let contents = Locked(Contents())

  /// Sets the closure that is called when a step is ready.
  ///
  /// The closure is called on the thread that makes the step ready.
  func onReady(_ receive: (@Sendable (_ job: Int, _ task: Int?, _ thread: ThreadIdentity) -> Void)?) {
    contents.withLock { $0.receive = receive }
  }

  /// Sets the closure that is called in the last step of a task.
  func onEnd(_ end: @escaping @Sendable () -> Void) {
    contents.withLock { $0.end = end }
  }

  func taskEnds() {
    contents.withLock { $0.end }?()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (id, receive) = contents.withLock { contents in
      contents.lastJob += 1
      contents.jobs[contents.lastJob] = job
      return (contents.lastJob, contents.receive)
    }
    receive?(id, job.taskID, .current)
  }

  /// Performs a step on the calling thread.
  func perform(_ id: Int) {
    guard let job = contents.withLock({ $0.jobs.removeValue(forKey: id) }) else { return }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

extension UnownedJob {
  /// The number of the task that the job is a step of, or `nil` if the job is not a step of a task.
  ///
  /// The standard library makes the number available only in the description.
  fileprivate var taskID: Int? {
    Int(description.split(separator: " ").last?.prefix { $0.isNumber } ?? "")
  }
}
