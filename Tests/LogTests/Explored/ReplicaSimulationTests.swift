import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Clients and servers with a bad network", .unlessItHangs)
struct ReplicaSimulationTests {
  @Test("in a million random steps, all clients converge, and no written action is lost or repeated")
  func converges() async {
    let finding = await resultOfThread { () -> String? in
      for seed in 1...2_000 as ClosedRange<UInt64> {
        var simulation = ReplicaSimulation(seed: seed)
        simulation.run(steps: 500)
        if let finding = simulation.finding { return "seed \(seed): \(finding)" }
      }
      return nil
    }
    #expect(finding == nil)
  }

  /// Returns what the simulations find that kill each process after each step.
  private func killEverywhere(_ mistake: ReplicaSimulation.Mistake? = nil) -> String? {
    for seed in 1...10 as ClosedRange<UInt64> {
      for process in [.client(0), .client(1), .server(0)] as [ReplicaSimulation.Process] {
        for step in 0..<100 {
          var simulation = ReplicaSimulation(seed: seed, clients: 2, mistake)
          simulation.run(steps: 100, killing: (step, process))
          if let finding = simulation.finding { return "seed \(seed), step \(step): \(finding)" }
        }
      }
    }
    return nil
  }

  @Test("after a kill of any process at any step, all clients converge, and no written action is lost")
  func killedAnywhere() async {
    #expect(await resultOfThread { killEverywhere() } == nil)
  }

  @Test(
    "the kills find a client that does not read its disk correctly",
    arguments: [.clientReusesNumbers, .clientForgetsPosition, .clientDropsUnsentActions]
      as [ReplicaSimulation.Mistake])
  func killsFindMistakes(mistake: ReplicaSimulation.Mistake) async {
    #expect(await resultOfThread { killEverywhere(mistake) } != nil)
  }

  @Test("each planted mistake is found", arguments: ReplicaSimulation.Mistake.allCases)
  func mistakes(mistake: ReplicaSimulation.Mistake) async {
    let seed = await resultOfThread { () -> UInt64? in
      (1...200 as ClosedRange<UInt64>).first { seed in
        var simulation = ReplicaSimulation(seed: seed, mistake)
        simulation.run(steps: 500)
        return simulation.finding != nil
      }
    }
    #expect(seed != nil)
  }

  @Test("a seed repeats a simulation")
  func repeats() {
    let states = (0..<2).map { _ in
      var simulation = ReplicaSimulation(seed: 7)
      simulation.run(steps: 500)
      return simulation.servers.map(\.state)
    }
    #expect(states[0] == states[1])
    #expect(states[0].first?.isEmpty == false)
  }
}
