import FluxCore
import TestSupport

/// A walk through every interleaving of a scenario's threads, depth first, visiting each state
/// once.
struct DeliveryExploration {
  /// A broken invariant, with the steps that lead to it.
  struct Finding: CustomStringConvertible {
    let violation: DeliveryViolation
    let path: [String]

    var description: String {
      let lines = path.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      return (["\(violation.text):"] + lines).joined(separator: "\n")
    }
  }

  private(set) var states = 0
  private(set) var transitions = 0
  /// The number of final states, in which no step is left.
  private(set) var ends = 0
  /// The last final state.
  private(set) var lastEnd: DeliveryModel?
  private(set) var events = DeliveryEvents()
  private(set) var finding: Finding?

  /// Far more steps than any scenario needs: a longer path has no end.
  private static let longestPath = 400

  private struct Place {
    let model: DeliveryModel
    let choices: [DeliveryModel.Choice]
    var taken = 0
    let number: Int
  }

  init(of scenario: DeliveryScenario, mistake: DeliveryRules.Mistake? = nil) {
    var context = DeliveryModel.Context(scenario: scenario)
    var path: [Place] = []
    do throws(DeliveryViolation) {
      try walk(from: DeliveryModel(scenario, mistake: mistake), &path, &context)
    } catch {
      finding = Finding(
        violation: error,
        path: path.map { Self.description(of: $0.choices[$0.taken - 1], in: $0.model, scenario) })
    }
    events = context.events
  }

  private mutating func walk(
    from first: DeliveryModel, _ path: inout [Place], _ context: inout DeliveryModel.Context
  ) throws(DeliveryViolation) {
    // Whether a state, by its number, is on the path. A step back to such a state would repeat
    // forever.
    var numbers = [Hashed(first): 0]
    var isOnPath = [true]
    path = [Place(model: first, choices: first.choices(in: context.scenario), number: 0)]
    states = 1
    while let top = path.indices.last {
      guard path[top].taken < path[top].choices.count else {
        isOnPath[path[top].number] = false
        path.removeLast()
        continue
      }
      var model = path[top].model
      path[top].taken += 1
      transitions += 1
      try model.step(path[top].choices[path[top].taken - 1], in: &context)
      let number = numbers.number(of: model)
      if number < isOnPath.count {
        if isOnPath[number] { throw DeliveryViolation("the threads can go round for ever") }
        continue
      }
      guard path.count < Self.longestPath else {
        throw DeliveryViolation("the threads go on for more than \(Self.longestPath) steps")
      }
      isOnPath.append(true)
      states += 1
      let choices = model.choices(in: context.scenario)
      if choices.isEmpty {
        try model.checkQuiet(context.scenario)
        ends += 1
        lastEnd = model
      }
      path.append(Place(model: model, choices: choices, number: number))
    }
  }
}

// MARK: - In words

extension DeliveryExploration {
  /// The next step of a thread, and the state to which it leads.
  private static func description(
    of choice: DeliveryModel.Choice, in model: DeliveryModel, _ scenario: DeliveryScenario
  ) -> String {
    var after = model
    var context = DeliveryModel.Context(scenario: scenario)
    let broken = (try? after.step(choice, in: &context)) == nil
    let phase =
      switch after.rules.machine.phase {
      case .idle: "idle"
      case .delivering(let thread): "thread \(thread.rawValue - 1) delivers"
      case .offered: "offered"
      }
    let what: String
    switch choice {
    case .mainTask(let thread): what = "thread \(thread) runs a task of the main actor"
    case .thread(let thread): what = "thread \(thread) \(nextStep(of: thread, in: model, scenario))"
    }
    return "\(what) (version \(after.version), \(phase))\(broken ? " <- here" : "")"
  }

  private static func nextStep(
    of thread: Int, in model: DeliveryModel, _ scenario: DeliveryScenario
  ) -> String {
    let state = model.threads[thread]
    switch state.frames.last {
    case nil: return "does \(scenario.programs[thread][Int(state.position)])"
    case .script(let script, let position):
      return "does \(DeliveryModel.operations(of: script, scenario)[Int(position)]) in \(script)"
    case .firstCall(let call):
      return call.isCalling
        ? "ends first call \(call.calls) of observer \(call.observer)"
        : "makes a first call of observer \(call.observer) with version \(call.version)"
    case .pass(let pass):
      let position = Int(pass.position) + (pass.isCalling ? 1 : 0)
      let name = "\(pass.lane == .main ? "main " : "")pass of version \(pass.version)"
      guard position < pass.slots.count else { return "ends a \(name) and asks what is next" }
      return "\(pass.hasLooked ? "calls" : "looks at") observer \(pass.slots[position]) in a \(name)"
    case .transitions(let versions, let position):
      guard Int(position) < versions.count else { return "ends its transitions and asks what is next" }
      return "delivers transition \(versions[Int(position)])"
    case .offer: return "comes back to reclaim what it offered"
    case .finish: return "finishes"
    case .lateCommit: return "writes the state that it has told of"
    }
  }
}

extension [Hashed<DeliveryModel>: Int] {
  /// The number of a state: its existing number, or the next free one.
  fileprivate mutating func number(of model: DeliveryModel) -> Int {
    func value(_ number: inout Int) -> Int { number }
    let next = count
    return value(&self[Hashed(model), default: next])
  }
}
