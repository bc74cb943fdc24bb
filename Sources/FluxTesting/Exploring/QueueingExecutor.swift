import FluxCore

/// A task executor that queues the steps of tasks, and performs a step only when the driver of the
/// run calls ``perform(_:)``.
final class QueueingExecutor: StepExecutor, Sendable {
  /// An event that the driver of the run receives, on the thread that makes it happen.
  enum Report: Sendable {
    /// A step of a task is ready. The task is `nil` if the step belongs to an actor.
    case ready(job: Int, task: Int?)
    /// The present step is the first step of work.
    case beginning
    /// The present step is the last step of its task.
    case end
    /// The present step affects other steps.
    case effect
    case observesEnds
    case readsState
    case readsTime
    case keepsState
    case readsKeptState
    /// An object keeps actions or earlier states.
    case keepsHistory
    /// A store was created.
    /// A store was created, whose tasks belong to a scope.
    case store(EffectScope)
  }

  private struct Contents: Sendable {
    var jobs: [Int: UnownedJob] = [:]
    var lastJob = 0
    var receive: (@Sendable (Report) -> Void)?
  }

  private let contents = Locked(Contents())

  /// Sets the closure that receives the events.
  func onReport(_ receive: @escaping @Sendable (Report) -> Void) {
    contents.withLock { $0.receive = receive }
  }

  func report(_ report: Report) {
    contents.withLock { $0.receive }?(report)
  }

  func workBegins() { report(.beginning) }
  func taskEnds() { report(.end) }
  func stepAffectsOthers() { report(.effect) }
  func endsAreObserved() { report(.observesEnds) }
  func stepReadsState() { report(.readsState) }
  func stepKeepsState() { report(.keepsState) }
  func stepReadsKeptState() { report(.readsKeptState) }
  func historyIsKept() { report(.keepsHistory) }
  func storeIsCreated(with effects: EffectScope) { report(.store(effects)) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (id, receive) = contents.withLock { contents in
      contents.lastJob += 1
      contents.jobs[contents.lastJob] = job
      return (contents.lastJob, contents.receive)
    }
    receive?(.ready(job: id, task: job.taskID))
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
    let digits = description.utf8.reversed().drop { !$0.isDigit }.prefix { $0.isDigit }
    return digits.isEmpty ? nil : digits.reversed().reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
