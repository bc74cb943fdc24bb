import FluxCore

extension WorkScenario {
  private static func requests(_ rules: WorkRules, count: Int = 1, operation: [Operation] = []) -> [Action] {
    (0..<count).map { _ in Action(rules: rules, isRequest: true, operation: operation) }
  }

  static let all: [WorkScenario] = [
    WorkScenario(
      title: "two requests run concurrently", actions: requests(WorkRules(.every)),
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "the latest request replaces the older one", actions: requests(WorkRules(.latest)),
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "a thread replaces its request", actions: requests(WorkRules(.latest), operation: [.emit]),
      programs: [[.dispatch(0), .dispatch(0)]]),
    WorkScenario(
      title: "the latest task replaces a task that dispatches",
      actions: [Action(rules: WorkRules(.latest), operation: [.emit])],
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "a leading request", actions: requests(WorkRules(.leading)),
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "a leading request, twice by one thread", actions: requests(WorkRules(.leading)),
      programs: [[.dispatch(0), .dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "a queue", actions: [Action(rules: WorkRules(.queue), operation: [.emit])],
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "a queue whose first work is canceled", actions: requests(WorkRules(.queue)),
      programs: [[.dispatch(0), .dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "a queue that waits for a task of its first work",
      actions: [Action(rules: WorkRules(.queue), operation: [.spawn([.emit])])],
      programs: [[.dispatch(0), .dispatch(0)]]),
    WorkScenario(
      title: "a queue of three", actions: [Action(rules: WorkRules(.queue))],
      programs: [[.dispatch(0), .dispatch(0), .dispatch(0)]]),
    WorkScenario(
      title: "debounced work",
      actions: requests(WorkRules(.every, pace: .debounced(.seconds(2)))),
      programs: [[.dispatch(0)], [.dispatch(0)]]),
    WorkScenario(
      title: "debounced latest work that is canceled",
      actions: requests(WorkRules(.latest, pace: .debounced(.seconds(2)))),
      programs: [[.dispatch(0), .dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "throttled work",
      actions: requests(WorkRules(.every, pace: .throttled(.seconds(2), latest: true))),
      programs: [[.dispatch(0), .dispatch(0), .dispatch(0)]]),
    WorkScenario(
      title: "a dispatch that is awaited and canceled",
      actions: [Action(operation: [.emit, .spawn([.emit])])],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)], [.cancelHandle(0)]]),
    WorkScenario(
      title: "a request that is canceled with its dispatch",
      actions: requests(WorkRules(.every), operation: [.emit]),
      programs: [[.dispatchAsync(0, handle: 0)], [.cancelHandle(0)]]),
    WorkScenario(
      title: "the end of the store", actions: requests(WorkRules(.latest), operation: [.emit]),
      programs: [[.dispatch(0)], [.endStore]]),
    WorkScenario(
      title: "work that starts other work",
      actions: [Action(lane: 0, operation: [.dispatch(1)]), Action(lane: 1, isRequest: true)],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "work that starts work of its own lane",
      actions: [
        Action(rules: WorkRules(.latest), operation: [.dispatch(1)]),
        Action(rules: WorkRules(.latest), isRequest: true),
      ],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)]]),
    WorkScenario(
      title: "an observer of the pending event replaces the request",
      actions: [
        Action(rules: WorkRules(.latest), isRequest: true, whenPending: [.dispatch(1)]),
        Action(rules: WorkRules(.latest), isRequest: true),
      ], programs: [[.dispatch(0)]]),
    WorkScenario(
      title: "an observer of the rejection sends a request",
      actions: [
        Action(rules: WorkRules(.latest), isRequest: true, whenEnded: [.dispatch(1)]),
        Action(rules: WorkRules(.latest), isRequest: true),
      ], programs: [[.dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "an observer of a leading request's end sends it again",
      actions: [
        Action(rules: WorkRules(.leading), isRequest: true, whenEnded: [.dispatch(1)]),
        Action(rules: WorkRules(.leading), isRequest: true),
      ], programs: [[.dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "an observer of the action cancels its work",
      actions: [Action(isRequest: true, whenReduced: [.cancelLane(0)])], programs: [[.dispatch(0)]]),
    WorkScenario(
      title: "work that is retried", actions: [Action(operation: [.emit, .spawn([.emit])], attempts: 2)],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)]]),
    WorkScenario(
      title: "a request with a time limit, which is canceled",
      actions: [Action(isRequest: true, operation: [.emit], timeLimit: 5)],
      programs: [[.dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "a retried request with a time limit",
      actions: [Action(isRequest: true, operation: [.emit], attempts: 2, timeLimit: 5)],
      programs: [[.dispatch(0)]]),
    WorkScenario(
      title: "work that is retried, and whose task starts a task",
      actions: [Action(operation: [.spawn([.spawn([])])], attempts: 2)], programs: [[.dispatch(0)]]),
    WorkScenario(
      title: "a task whose only attempt fails, and which has started a task and work",
      actions: [
        Action(operation: [.spawn([.emit]), .dispatch(1)], lastAttemptFails: true),
        Action(lane: 1, operation: [.emit]),
      ],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)]]),
    WorkScenario(
      title: "a race of two tasks",
      actions: [
        Action(racers: [1, 2]), Action(lane: 1, operation: [.emit]), Action(lane: 2, operation: [.emit]),
      ],
      programs: [[.dispatchAsync(0, handle: 0), .awaitHandle(0)]]),
    WorkScenario(
      title: "a race that is canceled",
      actions: [Action(racers: [1, 2]), Action(lane: 1, isRequest: true), Action(lane: 2)],
      programs: [[.dispatch(0)], [.cancelLane(0)]]),
    WorkScenario(
      title: "a race with work that is dropped",
      actions: [
        Action(racers: [1, 2]), Action(lane: 1, rules: WorkRules(.leading)),
        Action(lane: 1, rules: WorkRules(.leading)), Action(lane: 3, operation: [.emit]),
      ],
      programs: [[.dispatch(0)]]),
    WorkScenario(
      title: "three latest tasks",
      actions: [Action(rules: WorkRules(.latest))],
      programs: [[.dispatch(0)], [.dispatch(0)], [.dispatch(0)]]),
  ]
}
