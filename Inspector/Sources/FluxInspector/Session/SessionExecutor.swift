import Dispatch

/// A serial executor that runs the session of one page on a separate queue.
///
/// A session can run for a long time, because it calls the program's reducers and descriptions,
/// and imports histories. If a session ran on the threads that all tasks share, the tasks of the
/// program would have to wait. Each session has a separate queue, so that no page waits for a
/// request of another page. The inspector accepts at most 16 pages, so there are at most 16
/// queues.
///
/// `DispatchSerialQueue` is already an executor, but only on Apple's systems.
final class SessionExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "FluxInspector.PageSession")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
