import TestSupport
import Testing

@testable import FluxLog

@Suite("A client that works without a connection, with every loss, repetition, and kill")
struct ReplicaModelTests {
  /// Visits all states of a model, and returns their number and the first finding.
  private func explore(_ first: ReplicaModel) -> (states: Int, finding: String?) {
    var visited: Set = [Hashed(first)]
    var waiting = [first]
    while let model = waiting.popLast() {
      if let finding = model.finding ?? model.findingAtEnd { return (visited.count, finding) }
      for event in model.events {
        guard let next = model.after(event), visited.insert(Hashed(next)).inserted else { continue }
        waiting.append(next)
      }
    }
    return (visited.count, nil)
  }

  @Test("each action is in the log once and in order, and the client shows it until its outcome")
  func everyState() {
    for family in ReplicaModel.Remaining.families {
      let (states, finding) = explore(ReplicaModel(family))
      printStatistics("replica: \(states) states")
      #expect(finding == nil)
      #expect(states > 1_000)
    }
  }

  @Test("the exploration finds each planted mistake", arguments: ReplicaModel.Mistake.allCases)
  func planted(_ mistake: ReplicaModel.Mistake) {
    let findings = ReplicaModel.Remaining.families.lazy
      .compactMap { explore(ReplicaModel($0, mistake)).finding }
    #expect(findings.first != nil)
  }
}
