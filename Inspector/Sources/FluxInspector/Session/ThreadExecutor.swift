import Dispatch
import Foundation

/// An executor that runs its jobs one after another on a separate thread.
///
/// The thread starts when the first job arrives, and ends when the executor is released.
///
/// The system's allocator keeps memory for each thread. A dispatch queue would run work that
/// needs much memory on different threads, and the allocator would keep that amount of memory for
/// each thread.
final class ThreadExecutor: SerialExecutor {
  /// The waiting jobs, which the executor shares with its thread.
  ///
  /// The thread does not retain the executor while no job is waiting.
  private final class Work: Sendable {
    private struct Contents {
      var hasThread = false
      var waiting: [@Sendable () -> Void] = []
    }

    private let contents = Locked(Contents())
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ work: @escaping @Sendable () -> Void) {
      let isFirst = contents.withLock { contents in
        contents.waiting.append(work)
        defer { contents.hasThread = true }
        return !contents.hasThread
      }
      arrivals.signal()
      if isFirst { Thread.detachNewThread { self.run() } }
    }

    /// Ends the thread after it has run all waiting jobs.
    func end() {
      arrivals.signal()
    }

    private func run() {
      while let next = next() { next() }
    }

    private func next() -> (@Sendable () -> Void)? {
      arrivals.wait()
      return contents.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
  }

  private let work = Work()

  deinit {
    work.end()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
