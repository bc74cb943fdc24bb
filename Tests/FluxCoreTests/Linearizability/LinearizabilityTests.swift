import FluxCore
import TestSupport
import Testing

@Suite("Linearizability")
struct LinearizabilityTests {
  #if DEBUG
    private static let seeds: ClosedRange<UInt64> = 1...3000
  #else
    private static let seeds: ClosedRange<UInt64> = 1...30_000
  #endif

  @Test(
    "each concurrent history has an equivalent order of one thread, and observers received matching states")
  func holds() async {
    let (histories, overlaps) = (Shared(0), Shared(0))
    let problem = await resultOfThread {
      Self.firstProblem(of: Self.seeds) { seed in
        histories.increment()
        return HistoryRecording.problem(seed: seed, overlaps: overlaps)
      }
    }
    printStatistics(
      "\(histories.value) histories of 2 to 4 threads, \(overlaps.value) with operations that overlap")
    #expect(problem == nil, "\(problem ?? "")")
    #expect(overlaps.value > 0)
  }

  @Test("a store that answers every second read from an outdated copy is found")
  func cachedReads() async throws {
    let problem = await Self.problem { store in
      var broken = store
      let copy = Shared<(log: [Int], reads: Int)>(([], 0))
      broken.read = {
        copy.change { copy in
          if copy.reads.isMultiple(of: 2) { copy.log = store.read() }
          copy.reads += 1
          return copy.log
        }
      }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  @Test("a store whose dispatch returns before the action is reduced is found")
  func lateDispatch() async throws {
    let problem = await Self.problem { store in
      var broken = store
      let late = Shared<Append?>(nil)
      broken.dispatch = { action in
        if let earlier = late.exchange(action) { store.dispatch(earlier) }
      }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  @Test("a store that loses an action is found")
  func lostDispatch() async throws {
    let problem = await Self.problem { store in
      var broken = store
      broken.dispatch = { if !$0.element.isMultiple(of: 5) { store.dispatch($0) } }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  @Test("a store that reduces an action twice is found")
  func dispatchedTwice() async throws {
    let problem = await Self.problem { store in
      var broken = store
      broken.dispatch = { action in
        store.dispatch(action)
        if action.element == 3 { store.dispatch(action) }
      }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  @Test("a store that uses the replaced reducer for one more action is found")
  func lateReplacement() async throws {
    let problem = await Self.problem { store in
      var broken = store
      let late = Shared<Int?>(nil)
      broken.replaceReducer = { late.value = $0 }
      broken.dispatch = { action in
        let number = late.exchange(nil)
        store.dispatch(action)
        if let number { store.replaceReducer(number) }
      }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  @Test("a store that makes no first call is found")
  func noFirstCall() async throws {
    let problem = await Self.problem { store in
      var broken = store
      broken.firstCall = { nil }
      return broken
    }
    #expect(try #require(problem).contains("no single thread could have seen this"))
  }

  /// The first problem of a broken store, which a few histories reveal.
  private static func problem(
    of broken: @escaping @Sendable (StoreUnderTest) -> StoreUnderTest
  ) async -> String? {
    await resultOfThread {
      firstProblem(of: 1...100) { HistoryRecording.problem(seed: $0, broken: broken) }
    }
  }

  /// Runs each seed once, up to the first failure: another run of the same seed may not fail.
  private static func firstProblem(
    of seeds: ClosedRange<UInt64>, _ problem: (_ seed: UInt64) -> String?
  ) -> String? {
    for seed in seeds {
      if let problem = problem(seed) { return problem }
    }
    return nil
  }
}
