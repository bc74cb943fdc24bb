import TestSupport

/// A walk through every interleaving of a scenario's threads and tasks, depth first, which visits
/// each state once.
struct WorkExploration {
  private(set) var states = 0
  private(set) var ends = 0
  private(set) var violation: WorkViolation?
  /// The steps that lead to the violation.
  private(set) var path: [String] = []

  init(of scenario: WorkScenario, mistake: WorkMistake? = nil) {
    var visited: Set<Hashed<WorkModel>> = []
    var stack: [(model: WorkModel, steps: [Int])] = [(WorkModel(scenario, mistake: mistake), [])]
    visited.insert(Hashed(stack[0].model))
    states = 1
    while let (model, steps) = stack.popLast() {
      let choices = model.choices
      do throws(WorkViolation) {
        if choices.isEmpty {
          ends += 1
          try model.checkEnd(scenario)
        }
        for agent in choices {
          var next = model
          do throws(WorkViolation) {
            try next.step(agent, in: scenario)
          } catch {
            path = Self.describe(steps + [agent], of: scenario, mistake)
            throw error
          }
          guard visited.insert(Hashed(next)).inserted else { continue }
          states += 1
          stack.append((next, steps + [agent]))
        }
      } catch {
        violation = error
        if path.isEmpty { path = Self.describe(steps, of: scenario, mistake) }
        return
      }
    }
  }

  private static func describe(_ steps: [Int], of scenario: WorkScenario, _ mistake: WorkMistake?) -> [String]
  {
    var model = WorkModel(scenario, mistake: mistake)
    return steps.map { agent in
      let frame = model.agents[agent].frames.last
      try? model.step(agent, in: scenario)
      return "\(agent): \(frame.map { "\($0)" } ?? "")"
    }
  }

  var description: String {
    guard let violation else { return "no violation in \(states) states" }
    return ([violation.text + ":"] + path.map { "  " + $0 }).joined(separator: "\n")
  }
}
