import Dispatch
import Foundation

/// A gate at which threads wait until a test opens it permanently.
package final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func open() {
    semaphore.signal()
  }

  package func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// A thread for which a test can wait.
package final class Worker: Sendable {
  private let done = Gate()

  package init(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
    let thread = Thread { [done] in
      work()
      done.open()
    }
    if let stackSize { thread.stackSize = stackSize }
    thread.start()
  }

  package func join() {
    done.wait()
  }
}

/// Runs work on several threads that start together, and waits for all of them.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (_ index: Int) -> Void) {
  let start = Gate()
  let workers = (0..<count).map { index in
    Worker {
      start.wait()
      work(index)
    }
  }
  start.open()
  for worker in workers { worker.join() }
}

/// Runs work on a separate thread and waits for it.
package func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
  Worker(work).join()
}

/// Runs work that may block on a separate thread, and waits for its result without blocking a
/// task's thread.
package func resultOfThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    _ = Worker { continuation.resume(returning: work()) }
  }
}
