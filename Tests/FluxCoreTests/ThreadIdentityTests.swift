import FluxCore
import Foundation
import TestSupport
import Testing

@Suite("The identity of a thread", .unlessItHangs)
struct ThreadIdentityTests {
  // An optimizing compiler could keep the identity from before the suspension. Run the tests in
  // release, too.
  @Test("After a suspension, an asynchronous function reads the identity of the thread on which it continues")
  func suspension() async {
    await withTaskExecutorPreference(ThreadForEachJob()) {
      let before = ThreadIdentity.current
      let numberBefore = numberOfThread()
      await Task.yield()
      #expect(ThreadIdentity.current.rawValue == numberOfThread())
      #expect(before.rawValue == numberBefore)
      await Task.yield()
      #expect(ThreadIdentity.current.rawValue == numberOfThread())
    }
  }

  @Test("A store accepts dispatches from an asynchronous function that continues on other threads")
  func dispatches() async {
    let store = Store(reducer: { (count: inout Count, _: any Action) in count.value += 1 }, state: Count())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask(executorPreference: ThreadForEachJob()) {
          for _ in 0..<50 {
            store.dispatch(Step())
            await Task.yield()
            store.dispatch(Step())
          }
        }
      }
    }
    #expect(store.state.value == 800)
  }
}

private struct Count: FluxState { var value = 0 }
private struct Step: Action {}

/// An executor that runs each job on a new thread.
private final class ThreadForEachJob: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
  }
}

/// Returns the number of the running thread, in a function that the compiler does not optimize.
@inline(never) @_optimize(none)
private func numberOfThread() -> UInt { ThreadIdentity.current.rawValue }
