import Dispatch

/// A serial executor that runs the session of one page on a separate queue.
///
/// The work of a session can take long: the program's reducers and descriptions, an export, or
/// the symbolication of a back trace. On the shared threads of the concurrency pool, it would
/// delay the program's own tasks. Each session has a separate queue, so that no page waits for
/// the requests of another page. With a maximum of 16 pages, there are at most 16 such threads,
/// and only while they have work.
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
