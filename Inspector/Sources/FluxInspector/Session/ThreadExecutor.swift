import Dispatch
import Foundation

/// Runs one piece of work after another on a separate thread, which starts with the first work
/// and ends with the executor.
///
/// The system's allocator keeps memory for each thread. Work that takes much memory would run now
/// on one thread of a queue and now on another, and the allocator would keep that much for each of
/// them.
final class ThreadExecutor: SerialExecutor {
  /// The work that waits: shared with the thread, which does not retain the executor while no work
  /// waits.
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

    /// Lets the thread end when it has done all work.
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
