import Board
import Testing

@Suite("The rules of pending changes")
struct ChangeRulesTests {
  /// Performs all orders of events up to a length, and returns the number of states, and the first
  /// order that breaks a rule.
  private func walk(
    _ length: Int, with mistake: ChangeModel.Mistake? = nil, hasKeys: Bool = false
  ) -> (states: Int, finding: String?) {
    var reached: [ChangeModel: [ChangeModel.Event]] = [ChangeModel(mistake, hasKeys: hasKeys): []]
    var states = 0
    for _ in 0..<length {
      var next: [ChangeModel: [ChangeModel.Event]] = [:]
      for (model, order) in reached {
        for event in ChangeModel.events {
          var changed = model
          do throws(ChangeModel.Violation) {
            guard try changed.happen(event), next[changed] == nil else { continue }
            next[changed] = order + [event]
            var settled = changed
            try settled.settle()
          } catch {
            return (states, "\(error.rule) \(order + [event])")
          }
        }
      }
      reached = next
      states += reached.count
    }
    return (states, nil)
  }

  @Test("in every order, the log contains an acknowledged change once, and nothing else is shown")
  func everyOrder() {
    let (states, finding) = walk(6)
    #expect(states > 10_000)
    #expect(finding == nil)
  }

  @Test("in every order, a change with a key is made once, and its client receives the same answer each time")
  func everyOrderWithKeys() {
    let (states, finding) = walk(6, hasKeys: true)
    #expect(states > 7_000)
    #expect(finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: ChangeModel.Mistake.allCases)
  func planted(_ mistake: ChangeModel.Mistake) {
    #expect(walk(6, with: mistake, hasKeys: mistake.needsKeys).finding != nil)
  }
}
