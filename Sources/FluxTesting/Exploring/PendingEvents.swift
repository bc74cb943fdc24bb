/// Everything that can happen next in an explored order: the steps of tasks, the answers to held
/// calls, the deadlines of the clock, and possible events.
///
/// Tasks, calls, and possible events have names, so that an order can be described and repeated.
/// If a name is used again, the new name contains a number.
struct PendingEvents: Sendable {
  typealias ID = Int

  private struct Step: Sendable {
    let id: ID
    let task: ID
    let event: PendingEvent
  }

  private struct Call: Sendable {
    let id: ID
    /// The name of the task that waits for the answer.
    let task: String?
    let name: String
    /// The answer with each outcome.
    let answers: [PendingEvent]
  }

  /// A task with a step that is ready or was performed.
  struct Name: Sendable {
    let text: String
    let hash: UInt64
  }

  /// The state of the test's own code.
  enum Test: Hashable, Sendable {
    /// The test runs, or waits for something else than ``ExplorationRun/untilQuiet(holding:)``.
    case running
    /// The test waits until nothing happens by itself, while a number of calls are held.
    case waiting(holding: Int)
    case ended
  }

  /// The event that a driver performs.
  enum Performed: Hashable, Sendable {
    case step(ID)
    case answer(ID, outcome: Int)
    case deadline
    case possible(ID)
    case rest
  }

  private var steps: [Step] = []
  private var calls: [Call] = []
  private var possible: [(id: ID, event: PendingEvent)] = []
  private var nameOfTask: [ID: Name] = [:]
  private var stepsOfTask: [ID: Int] = [:]
  private var timesUsed: [Kind: [String: Int]] = [:]
  var test = Test.running

  // MARK: Names

  private enum Kind: Hashable {
    case task, call, possible
  }

  private mutating func unique(_ name: String, _ kind: Kind) -> String {
    let times = timesUsed[kind, default: [:]][name, default: 0] + 1
    timesUsed[kind, default: [:]][name] = times
    return times == 1 ? name : "\(name) (\(times))"
  }

  // MARK: Tasks

  func isKnown(task: ID) -> Bool { nameOfTask[task] != nil }

  mutating func taskBegan(_ task: ID, name: String) {
    let name = unique(name, .task)
    nameOfTask[task] = Name(text: name, hash: name.stableHash)
  }

  func name(ofTask task: ID) -> Name { nameOfTask[task] ?? Name(text: "a task", hash: 0) }

  mutating func stepIsReady(_ id: ID, of task: ID) {
    let number = stepsOfTask[task, default: 0] + 1
    let event = PendingEvent(.step(task: name(ofTask: task).text, number: number))
    steps.append(Step(id: id, task: task, event: event))
  }

  // MARK: Calls and possible events

  /// Records that a task waits for the answer to a call.
  mutating func callIsHeld(_ id: ID, by task: String?, name: String, outcomes: [String]) {
    let name = unique(name, .call)
    let answers = outcomes.map { PendingEvent(.answer(call: name, outcome: $0)) }
    calls.append(Call(id: id, task: task, name: name, answers: answers))
  }

  mutating func isPossible(_ id: ID, name: String) {
    possible.append((id, PendingEvent(.possible(unique(name, .possible)))))
  }

  /// Removes a call or a possible event whose task was canceled.
  mutating func remove(_ id: ID) {
    calls.removeAll { $0.id == id }
    possible.removeAll { $0.id == id }
  }

  /// Removes all possible events, so that they do not happen in this order.
  mutating func removePossible() { possible = [] }

  /// The names of the calls that are held.
  var heldCalls: [String] { calls.map(\.name) }

  /// Returns the name of the call whose answer a task waits for, or `nil` if other tasks have the
  /// same name, or if the task waits for no call.
  func onlyCall(of task: String) -> String? {
    timesUsed[.task]?[task] == 1 ? calls.first { $0.task == task }?.name : nil
  }

  /// Removes all calls and possible events, and returns their identities.
  mutating func removeAll() -> [ID] {
    defer { (calls, possible) = ([], []) }
    return calls.map(\.id) + possible.map(\.id)
  }

  // MARK: Events

  /// Returns the events that can happen next.
  ///
  /// The events are in the order of first come, first served: the steps of tasks, the answers, the
  /// next deadline, and the possible events. An event that is only possible never happens if
  /// events are served in this order.
  func events(deadline: Duration?) -> [(event: PendingEvent, performed: Performed)] {
    var events: [(event: PendingEvent, performed: Performed)] = steps.map { ($0.event, .step($0.id)) }
    if events.isEmpty || !isSettling { events += answers }
    if let deadline, !isHoldingEnough { events.append((PendingEvent(.deadline(deadline)), .deadline)) }
    if events.isEmpty, !possible.isEmpty { events.append((.rest, .rest)) }
    return events + possible.map { ($0.event, .possible($0.id)) }
  }

  private var answers: [(PendingEvent, Performed)] {
    if isHoldingEnough { return [] }
    return calls.flatMap { call in
      call.answers.indices.map { (call.answers[$0], .answer(call.id, outcome: $0)) }
    }
  }

  /// A Boolean value that indicates whether the test waits until a number of calls are held.
  private var isSettling: Bool {
    if case .waiting(let count) = test { count > 0 } else { false }
  }

  /// A Boolean value that indicates whether no further call may receive an answer before the test
  /// continues.
  private var isHoldingEnough: Bool {
    if case .waiting(let count) = test { count > 0 && calls.count <= count } else { false }
  }

  /// A Boolean value that indicates whether the test waits for quiet, and as many calls are held
  /// as the test waits for.
  var isQuiet: Bool {
    guard case .waiting(let count) = test else { return false }
    return steps.isEmpty && calls.count == count
  }

  /// Returns a Boolean value that indicates whether an event can happen before the test continues.
  func hasPossible(_ deadline: Duration?) -> Bool {
    !possible.isEmpty || deadline != nil && !isHoldingEnough
  }

  /// Records that an event happens.
  mutating func perform(_ performed: Performed) {
    switch performed {
    case .step(let id):
      guard let index = steps.firstIndex(where: { $0.id == id }) else { return }
      stepsOfTask[steps.remove(at: index).task, default: 0] += 1
    case .answer(let id, _), .possible(let id): remove(id)
    case .deadline, .rest: break
    }
  }

  /// The number of steps that are ready.
  var readySteps: Int { steps.count }

  /// Removes the last step that has become ready.
  mutating func takeLastStep() -> (job: ID, task: Name)? {
    guard let step = steps.last else { return nil }
    perform(.step(step.id))
    return (step.id, name(ofTask: step.task))
  }

  /// Returns the task of a step that is ready.
  func task(ofStep id: ID) -> Name? {
    steps.first { $0.id == id }.map { name(ofTask: $0.task) }
  }
}
