import FluxCore

/// A generated family of small programs: each policy, for each kind of work, with two threads.
enum WorkFamily {
  private static let rules: [(name: String, rules: WorkRules)] = [
    ("every", WorkRules(.every)), ("latest", WorkRules(.latest)), ("leading", WorkRules(.leading)),
    ("queue", WorkRules(.queue)),
    ("debounced every", WorkRules(.every, pace: .debounced(.seconds(2)))),
    ("debounced latest", WorkRules(.latest, pace: .debounced(.seconds(2)))),
    ("debounced leading", WorkRules(.leading, pace: .debounced(.seconds(2)))),
    ("debounced queue", WorkRules(.queue, pace: .debounced(.seconds(2)))),
    ("throttled every", WorkRules(.every, pace: .throttled(.seconds(2), latest: true))),
    ("throttled latest", WorkRules(.latest, pace: .throttled(.seconds(2), latest: true))),
    ("throttled first", WorkRules(.every, pace: .throttled(.seconds(2), latest: false))),
  ]

  /// A kind of work.
  private struct Kind {
    let name: String
    /// The work, without its rules.
    let action: WorkScenario.Action
    /// A measure of the number of interleavings.
    var weight = 0
  }

  private static let kinds = [
    Kind(name: "task that dispatches", action: WorkScenario.Action(operation: [.emit])),
    Kind(name: "request", action: WorkScenario.Action(isRequest: true)),
    Kind(name: "task that starts a task", action: WorkScenario.Action(operation: [.spawn([])]), weight: 1),
    Kind(
      name: "request that fails", action: WorkScenario.Action(isRequest: true, lastAttemptFails: true),
      weight: 2),
    Kind(name: "retried task", action: WorkScenario.Action(operation: [.emit], attempts: 2), weight: 2),
    Kind(
      name: "request with a time limit", action: WorkScenario.Action(isRequest: true, timeLimit: 1), weight: 3
    ),
    Kind(name: "race", action: WorkScenario.Action(racers: [3]), weight: 3),
  ]

  /// A program of two threads.
  ///
  /// Action 1 carries the same work as action 0, and its observer dispatches action 0. Action 2
  /// carries the same work in another lane. Action 3 takes part in races.
  private struct Program {
    let name: String
    let threads: [[WorkScenario.Operation]]
    /// A measure of the number of interleavings.
    let weight: Int
  }

  private static let programs = [
    Program(
      name: "a dispatch is awaited, and canceled",
      threads: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)], [.cancelHandle(0)]], weight: 0),
    Program(
      name: "one thread dispatches, and another cancels", threads: [[.dispatch(0)], [.cancelLane(0)]],
      weight: 0),
    Program(name: "the store ends", threads: [[.dispatch(0)], [.endStore]], weight: 0),
    Program(name: "two threads dispatch", threads: [[.dispatch(0)], [.dispatch(0)]], weight: 1),
    Program(
      name: "two threads dispatch with different keys", threads: [[.dispatch(0)], [.dispatch(2)]], weight: 1),
    Program(
      name: "one of two keys is canceled", threads: [[.dispatch(0), .dispatch(2)], [.cancelLane(1)]],
      weight: 2),
    Program(
      name: "one thread dispatches twice, and another cancels",
      threads: [[.dispatch(0), .dispatch(0)], [.cancelLane(0)]], weight: 2),
    Program(
      name: "the store ends after two dispatches", threads: [[.dispatch(0), .dispatch(0)], [.endStore]],
      weight: 2),
    Program(name: "an observer dispatches", threads: [[.dispatch(1)], [.cancelEverything]], weight: 2),
  ]

  /// The scenarios, without those that have too many interleavings.
  static let all: [WorkScenario] = rules.flatMap { rules in
    kinds.flatMap { kind in
      programs.filter { program in
        rules.rules.pace == .immediate ? kind.weight + program.weight <= 3 : kind.weight == 0
      }.map { program in
        WorkScenario(
          title: "\(rules.name) \(kind.name): \(program.name)", actions: actions(kind.action, rules.rules),
          programs: program.threads)
      }
    }
  }

  private static func actions(_ action: WorkScenario.Action, _ rules: WorkRules) -> [WorkScenario.Action] {
    var action = action
    action.rules = rules
    var nested = action
    nested.whenReduced = [.dispatch(0)]
    var keyed = action
    keyed.lane = 1
    return [action, nested, keyed, WorkScenario.Action(lane: 3)]
  }
}
