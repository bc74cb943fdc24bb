// Only the C library of Linux reports how much of the heap is in use, and only without a
// sanitizer's own heap.
#if canImport(Glibc)
  import FluxCore
  import Foundation
  import TestSupport
  import Testing

  @Suite("Memory after many rounds", .enabled(if: Heap.bytesInUse > 0))
  struct MemoryGrowthTests {
    @Test("dispatches, subscriptions, cancellations, batches, and replaced reducers leave no memory behind")
    func nothingIsLeft() async {
      // In a separate process, in which no other test uses the heap.
      await #expect(processExitsWith: .success) {
        for work in StoreWork.all {
          let left = Heap.bytesLeft(by: work.once)
          #expect(left < Heap.tolerance, "\(work.name) leaves \(left) bytes in \(Heap.rounds) rounds")
        }
      }
    }

    @Test("the test detects an object that is kept in one round of a hundred")
    func noticesALeak() async {
      await #expect(processExitsWith: .success) {
        let kept = Shared<[LifetimeTracker.Tracked]>([])
        let (tracker, round) = (LifetimeTracker(), Shared(0))
        let left = Heap.bytesLeft {
          let object = tracker.make()
          if round.increment().isMultiple(of: 100) { kept.change { $0.append(object) } }
        }
        #expect(left > Heap.tolerance)
        #expect(kept.value.count == (Heap.rounds + Heap.roundsToWarmUp) / 100)
      }
    }
  }

  /// The operations that are repeated on a store.
  private struct StoreWork {
    let name: String
    let once: () -> Void

    static var all: [StoreWork] {
      let store = makeStore(plugins: [Plugin(onTransition: .states { _ in })])
      let tokens = [
        store.subscribe { _ in }, store.subscribe(to: \.count) { (_: Int) in },
        store.subscribe(initial: false) { _ in },
      ]
      return [
        StoreWork(name: "dispatching") { store.dispatch(Increment()) },
        StoreWork(name: "subscribing and cancelling") { store.subscribe { _ in }.cancel() },
        StoreWork(name: "subscribing without a first call") {
          store.subscribe(initial: false) { _ in }.cancel()
        },
        StoreWork(name: "dropping a token") { _ = store.subscribe(to: \.name) { (_: String) in } },
        StoreWork(name: "cancelling inside the callback") {
          let token = Shared<SubscriptionToken?>(nil)
          token.value = store.subscribe(initial: false) { _ in token.exchange(nil)?.cancel() }
          store.dispatch(Increment())
        },
        StoreWork(name: "batching") {
          store.batch {
            store.dispatch(Increment())
            store.dispatch(Rename(name: "a name that is too long to stand in the string itself"))
          }
        },
        StoreWork(name: "replacing the reducer") {
          let amount = Shared(1)
          store.replaceReducer { (state: inout Counter, _: any Action) in state.count += amount.value }
        },
        StoreWork(name: "following a slice by a proxy") {
          let token = store.proxy.subscribe(to: \.count) { (_: Int) in }
          store.dispatch(Increment())
          token.cancel()
        },
        StoreWork(name: "making and releasing a store") {
          let other = makeStore(middleware: [{ _, _ in { next in { next($0) } } }])
          let token = other.subscribe { _ in }
          other.dispatch(Increment())
          token.cancel()
        },
        // Last, since these tokens have kept the observers until now.
        StoreWork(name: "cancelling again") { for token in tokens { token.cancel() } },
      ]
    }
  }

  /// The heap of this process.
  private enum Heap {
    #if DEBUG
      static let rounds = 100_000
    #else
      static let rounds = 1_000_000
    #endif
    /// Rounds in which collections reach their size, and one-time allocations are made.
    static let roundsToWarmUp = rounds / 10
    /// The tolerance for the C library's own use: a fraction of a byte for each round.
    static let tolerance = rounds / 4

    /// The number of bytes that the C library has allocated and not freed; zero if it does not
    /// report them.
    ///
    /// Its report contains the bytes received from the system, followed by the free bytes among
    /// them.
    static var bytesInUse: Int {
      typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
      var (text, length) = (UnsafeMutablePointer<CChar>?.none, 0)
      guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &length) else {
        return 0
      }
      _ = unsafeBitCast(symbol, to: Report.self)(0, file)
      fclose(file)
      defer { free(text) }
      guard let report = text.map({ String(cString: $0) }) else { return 0 }
      func lastSize(_ kind: String) -> Int {
        report.split(separator: "\n").last { $0.hasPrefix(kind) }
          .flatMap { $0.split(separator: "\"").last { Int($0) != nil } }.flatMap { Int($0) } ?? 0
      }
      return lastSize("<system type=\"current\"") + lastSize("<total type=\"mmap\"")
        - lastSize("<total type=\"fast\"") - lastSize("<total type=\"rest\"")
    }

    static func bytesLeft(by work: () -> Void) -> Int {
      for _ in 0..<roundsToWarmUp { work() }
      let before = bytesInUse
      for _ in 0..<rounds { work() }
      return bytesInUse - before
    }
  }
#endif
