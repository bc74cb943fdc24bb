import FluxCore
import Foundation
import Meter
import Synchronization

// These workloads measure times, because valgrind runs only one thread at a time. Compare the times
// of one run only as ratios.
let threadWorkloads: [Workload] = [
  Workload(
    "one-thread", "one thread that dispatches two million actions", turns: 2 * million, unit: .nanoseconds
  ) {
    let store = countingStore()
    return { times in dispatching(times, to: store, threads: 1) }
  },
  Workload(
    "two-threads", "two threads that dispatch one million actions each", floor: "floor-two-threads",
    turns: 2 * million, unit: .nanoseconds
  ) {
    let store = countingStore()
    return { times in dispatching(times, to: store, threads: 2) }
  },
  Workload(
    "floor-two-threads", "handwritten: two threads with one million actions each", turns: 2 * million,
    unit: .nanoseconds
  ) {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return { times in
      onThreads(2) { _ in
        for _ in 0..<times / 2 { store.dispatch(Increment()) }
      }
    }
  },
  Workload("writer", "a thread that dispatches one million actions", turns: million, unit: .nanoseconds) {
    let store = countingStore()
    return { times in dispatching(times, to: store, threads: 1) }
  },
  Workload(
    "writer-with-reader", "a thread that dispatches one million actions while another thread reads",
    floor: "floor-writer-with-reader",
    turns: million, unit: .nanoseconds
  ) {
    let store = countingStore()
    return { times in
      besideReader(read: { store.state.value }) { dispatching(times, to: store, threads: 1) }
    }
  },
  Workload(
    "floor-writer-with-reader", "handwritten: one million actions while another thread reads",
    turns: million,
    unit: .nanoseconds
  ) {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return { times in
      besideReader(read: { store.read { $0.value } }) {
        for _ in 0..<times { store.dispatch(Increment()) }
      }
    }
  },
]

/// Calls `write` while another thread reads, and checks that the reads never return an older value.
private func besideReader(read: @escaping @Sendable () -> Int, _ write: @escaping @Sendable () -> Void) {
  let isDone = Atomic<Bool>(false)
  onThreads(2) { thread in
    if thread == 0 {
      write()
      isDone.store(true, ordering: .releasing)
    } else {
      var last = 0
      while !isDone.load(ordering: .acquiring) {
        let value = read()
        precondition(value >= last)
        last = value
      }
    }
  }
}

/// Dispatches actions from several threads, and checks that no action is lost.
private func dispatching(_ times: Int, to store: Store<Counter>, threads: Int) {
  let before = store.state.value
  onThreads(threads) { _ in
    for _ in 0..<times / threads { store.dispatch(Increment()) }
  }
  precondition(store.state.value == before + times)
}

/// Runs a closure on `count` threads, each on its own processor, and waits until all threads have
/// finished.
///
/// Threads that contend on two processors take longer than threads that take turns on one
/// processor, so the times would depend on the choice of the system.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
  guard count > 1 else { return body(0) }
  let done = DispatchSemaphore(value: 0)
  for number in 0..<count {
    Thread {
      keepThreadOnProcessor(Int32(number))
      body(number)
      done.signal()
    }.start()
  }
  for _ in 0..<count { done.wait() }
}
