import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxTesting

@Suite("The determinism of an exploration")
struct DeterminismTests {
  private actor Counter {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }

  /// A program with calls that fail, a time limit, child tasks, an actor, and a cancellation.
  @Sendable
  private static func program(_ run: ExplorationRun) async {
    let race = RaceRun(run)
    let counter = Counter()
    run.always("the order has not ended") { (state: RaceState) in state["sum"] < 1_000 }
    for number in 1...3 {
      let policy = number == 2 ? WorkPolicy.every.timingOut(after: .seconds(1)) : .every
      race.send(
        Job("job \(number)", policy) { context in
          async let first: Void = race.call("first \(number)", mayFail: true)
          async let second: Void = race.call("second \(number)")
          let count = await counter.next()
          _ = try await (first, second)
          await Task.yield()
          context.dispatch(Change("add \(count)") { $0["sum"] += count })
        })
    }
    race.may(CancelWork(of: Job.self, id: "job 3"))
    await run.untilQuiet()
    race.send(Change("end") { $0["sum"] = 1_000 })
  }

  @Test("one seed gives one log, a thousand times", arguments: [UInt64(1), 2])
  func oneSeed(seed: UInt64) async {
    let explorer = Explorer(test: Self.program)
    let first = await explorer.run(OrderChooser(seed: seed))
    #expect(first.story.count > 8)
    for _ in 1..<1_000 {
      let next = await explorer.run(OrderChooser(seed: seed))
      #expect(next.story == first.story)
      guard next.story == first.story else { return }
    }
  }

  @Test(
    "a log is the same in every process and in every build",
    arguments: [
      (UInt64(1), UInt64(10_360_574_143_778_903_509)), (2, 17_728_293_061_219_454_602),
    ])
  func everyProcess(seed: UInt64, hash: UInt64) async {
    let outcome = await Explorer(test: Self.program).run(OrderChooser(seed: seed))
    let log = outcome.story.joined(separator: "\n")
    #expect(log.stableHash == hash, "\(log)")
  }

  @Test("one seed gives one log beside other explorations")
  func otherExplorations() async {
    let first = await Explorer(test: Self.program).run(OrderChooser(seed: 1)).story
    await withTaskGroup(of: Set<[String]>.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let explorer = Explorer(test: Self.program)
          var logs: Set<[String]> = []
          for _ in 0..<25 { logs.insert(await explorer.run(OrderChooser(seed: 1)).story) }
          return logs
        }
      }
      for await logs in group { #expect(logs == [first]) }
    }
  }

  @Test("different seeds give different logs")
  func differentSeeds() async {
    let explorer = Explorer(test: Self.program)
    var logs: Set<[String]> = []
    for seed in UInt64(0)..<20 { logs.insert(await explorer.run(OrderChooser(seed: seed)).story) }
    #expect(logs.count > 10)
  }
}
