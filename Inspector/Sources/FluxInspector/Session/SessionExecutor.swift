import Dispatch

/// A serial executor that runs the session of one page on a separate queue.
///
/// The work of a session may take long: the program's reducers and descriptions, an import, or the
/// search for names in a back trace. On the threads that all tasks share, the program's own tasks
/// would wait for it. Each session has its own queue, so that no page waits for another page's
/// requests. There are at most 16 pages, and therefore at most 16 threads, which exist only while
/// they have work.
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
