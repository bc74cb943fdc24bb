import Dispatch

/// A serial executor that runs the session of one page on a separate queue.
///
/// What a session does may take long: the program's reducers and descriptions, or an import. On the threads that all tasks share, the program's own tasks would wait for it. Each
/// session has its own queue, so that no page waits for what another asks for; as there are 16 pages at most,
/// it is no more than as many threads, and only while they have something to do.
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
