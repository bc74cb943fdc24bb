import FluxAsync
import FluxCore
import TestSupport
import Testing

/// A request that is answered, fails, or waits until it is aborted, as the test specifies.
private struct Ping: AsyncRequest {
  enum Way: CaseIterable, Sendable {
    case answers, fails, waits
  }

  let number: Int
  let way: Way
  let tracked: LifetimeTracker.Tracked

  func perform(in context: RequestContext<Tally>) async throws(Service.Trouble) -> Int {
    await Task.yield()
    switch way {
    case .answers: return number
    case .fails: throw Service.Trouble()
    case .waits:
      let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
      for await _ in stream {}
      continuation.finish()
      throw Service.Trouble()
    }
  }
}

/// The number of actions of each request at each stage.
private struct Tally: FluxState {
  var pending: [Int: Int] = [:]
  var ended: [Int: Int] = [:]
}

private let tallyReducer: ActionHandlers<Tally> = combine(
  on(Ping.Pending.self) { tally, action in tally.pending[action.request.number, default: 0] += 1 },
  on(Ping.Fulfilled.self) { tally, action in tally.end(action.request.number) },
  on(Ping.Rejected.self) { tally, action in tally.end(action.request.number) }
)

extension Tally {
  fileprivate mutating func end(_ number: Int) {
    // An end before its beginning would not be repaired by a later one.
    ended[number, default: 0] += pending[number] == 1 ? 1 : 100
  }
}

@Suite("Many requests at the same time", .unlessItHangs)
struct ManyRequestsTests {
  private static let count = 10_000

  @Test(
    "each of ten thousand requests with random cancellations ends exactly once, and nothing remains")
  func many() async {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let (tracker, released) = (LifetimeTracker(), EventLog<Bool>())
    weak var gone: Store<Tally>?
    do {
      let store = Store(reducer: tallyReducer, state: Tally())
      gone = store
      let all = DispatchTaskBag()
      var requests: [RequestTask<Ping>] = []
      for number in 0..<Self.count {
        let way = Ping.Way.allCases.randomElement(using: &random) ?? .answers
        let ping = Ping(number: number, way: way, tracked: tracker.make { released.record(true) })
        if Bool.random(using: &random) {
          requests.append(store.request(ping))
        } else {
          all.add(store.dispatchAsync(ping))
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: requests.randomElement(using: &random)?.abort("at random")
        case 1: all.cancelOne(&random)
        case 2: await Task.yield()
        default: break
        }
      }
      store.dispatch(CancelWork(of: Ping.self))
      for request in requests { _ = await request.result }
      for task in all.tasks { await task.finished() }
      let tally = store.state
      #expect(tally.pending.count == Self.count, "seed \(seed)")
      #expect(tally.pending.values.allSatisfy { $0 == 1 }, "seed \(seed)")
      #expect(tally.ended.count == Self.count, "seed \(seed)")
      #expect(tally.ended.values.allSatisfy { $0 == 1 }, "seed \(seed)")
      // The task of a settled request may still be finishing.
      await store.effects.finished()
      #expect(store.effects.count == 0)
    }
    #expect(gone == nil)
    // The threads of the last tasks may still hold the closures that they ran.
    await released.count(atLeast: Self.count)
    #expect(tracker.alive == 0, "seed \(seed)")
  }

  /// Dispatches that the test waits for.
  private final class DispatchTaskBag {
    private(set) var tasks: [DispatchTask] = []

    func add(_ task: DispatchTask) { tasks.append(task) }

    func cancelOne(_ random: inout SeededGenerator) { tasks.randomElement(using: &random)?.cancel() }
  }
}
