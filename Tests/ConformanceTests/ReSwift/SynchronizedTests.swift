import FluxCore
import TestSupport
import Testing

/// ReSwift's cases test the box with a lock that its store uses.
@Suite(
  "ReSwift: Synchronized",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/SynchronizedTests.swift", at: "11f0a2e4", count: 3))
struct SynchronizedTests {
  private struct Table: FluxState {
    var entries: [String: Int] = [:]
  }

  private struct Count: Action {
    let key: String
  }

  private let store = Store<Table>(
    reducer: on(Count.self) { table, action in table.entries[action.key, default: 0] += 1 }, state: Table())

  private let threads = 4
  private let rounds = 500

  @Test(
    "threads that set the same entry at the same time leave it set",
    .differs(
      1,
      because: """
        ReSwift tests its lock directly. The lock of Flux is internal, so the test uses a store, which \
        the lock protects.
        """)
  )
  func oneEntry() {
    onThreads(threads) { [store, rounds] _ in
      for _ in 0..<rounds { store.dispatch(Count(key: "a")) }
    }
    #expect(store.state.entries.keys.sorted() == ["a"])
  }

  @Test(
    "each action that threads dispatch at the same time is reduced once",
    .differs(
      2,
      because: """
        ReSwift also measures the time of writes under the lock. Flux reports the times of threads with \
        `Benchmarks`, but does not test them.
        """
    ))
  func writing() {
    onThreads(threads) { [store, rounds] thread in
      for round in 0..<rounds { store.dispatch(Count(key: round.isMultiple(of: 2) ? "both" : "\(thread)")) }
    }
    #expect(store.state.entries["both"] == threads * rounds / 2)
    #expect((0..<threads).allSatisfy { store.state.entries["\($0)"] == rounds / 2 })
  }

  @Test(
    "threads may read while another thread writes, and each of them sees the count grow",
    .differs(
      3,
      because: """
        ReSwift measures the time of reads under the lock. Flux reports the times of threads with \
        `Benchmarks`, but does not test them.
        """
    ))
  func reading() {
    let wentBack = Shared(false)
    onThreads(threads) { [store, rounds] thread in
      var last = 0
      for _ in 0..<rounds {
        if thread == 0 { store.dispatch(Count(key: "a")) }
        let seen = store.withState { $0.entries["a"] ?? 0 }
        if seen < last { wentBack.value = true }
        last = seen
      }
    }
    #expect(!wentBack.value)
    #expect(store.state.entries["a"] == rounds)
  }
}
