import Dispatch

/// A serial executor that runs the session of one page on a separate queue.
///
/// The work of a session can take a long time: it calls the program's reducers and descriptions,
/// imports records, and finds the names of the functions in a backtrace. On the threads that all
/// tasks share, the work of a session would delay the program's own tasks. Each session has its
/// own queue, so that no page waits for another page's requests. At most 16 pages can be open, so
/// at most 16 threads exist, and a thread exists only while it has work.
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
