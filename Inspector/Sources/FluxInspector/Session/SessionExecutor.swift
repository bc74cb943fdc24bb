import Dispatch

/// Runs one page's session, one thing after the other, on a queue of its own.
///
/// What a session does may take long: the program's reducers and descriptions, an export, the look for names
/// in a back trace. On the threads that all tasks share, the program's own tasks would wait for it. Each
/// session has its own queue, so that no page waits for what another asks for; as there are 16 pages at most,
/// it is no more than as many threads, and only while they have something to do.
///
/// `DispatchSerialQueue` is an executor already, but on Apple's systems alone.
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
