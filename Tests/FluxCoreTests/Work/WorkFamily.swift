import FluxCore

/// A generated family of small programs: each policy, for tasks and for requests, with two
/// threads.
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

  /// The kinds of work.
  private static let kinds:
    [(name: String, isRequest: Bool, isHeavy: Bool, operation: [WorkScenario.Operation])] = [
      ("task that dispatches", false, false, [.emit]), ("task that starts a task", false, true, [.spawn([])]),
      ("request", true, false, []),
    ]

  /// The programs of two threads.
  private static let programs: [(name: String, programs: [[WorkScenario.Operation]])] = [
    ("two threads dispatch", [[.dispatch(0)], [.dispatch(0)]]),
    ("one thread dispatches twice, and another cancels", [[.dispatch(0), .dispatch(0)], [.cancelLane(0)]]),
    (
      "a dispatch is awaited, and canceled",
      [[.dispatchAsync(0, handle: 0), .awaitHandle(0)], [.cancelHandle(0)]]
    ),
    ("the store ends", [[.dispatch(0), .dispatch(0)], [.endStore]]),
    ("an observer dispatches", [[.dispatch(1)], [.cancelEverything]]),
  ]

  static let all: [WorkScenario] = rules.flatMap { rules in
    kinds.flatMap { kind in
      // The programs with more tasks have many more interleavings.
      kind.isHeavy && rules.rules.pace != .immediate
        ? []
        : programs.map { program in
          let action = WorkScenario.Action(
            rules: rules.rules, isRequest: kind.isRequest, operation: kind.operation)
          var nested = action
          nested.whenReduced = [.dispatch(0)]
          return WorkScenario(
            title: "\(rules.name) \(kind.name): \(program.name)", actions: [action, nested],
            programs: program.programs)
        }
    }
  }
}
