@testable import FluxCore

/// A store's work, with the threads and tasks that perform it, at one moment between two steps.
///
/// A step is one event of the state machine, or one call of user code outside the lock. The
/// records of an ``Instance`` are not part of the state machine. They describe what has happened,
/// so that the invariants can be checked against them.
struct WorkModel: Hashable {
  typealias Node = WorkStateMachine.NodeID
  typealias Instruction = WorkStateMachine.Instruction
  typealias Operation = WorkScenario.Operation

  /// One arrival of an action.
  struct Instance: Hashable {
    let action: Int
    let lane: Int
    /// The scope in which the action was dispatched.
    let scope: Node
    var node: Node?
    var deadline: Int?
    /// The earliest time at which debounced work may begin.
    var earliest = 0
    var isReduced = false
    var isPending = false
    var hasBegun = false
    var outcomes = 0
    var isSettled = false
    var hasReturned = false
    var isCompleted = false
    /// A Boolean value that indicates whether nothing of the work may begin anymore.
    var mustStop = false
    /// The number of actions that are being dispatched and have not been reduced.
    var inFlight = 0
    var isTaskCancelled = false
    var attemptFails: Bool?
    /// The scopes of a race's dispatches.
    var racers: [Node] = []
  }

  /// A step that an agent performs.
  enum Frame: Hashable {
    case operations([Operation], scope: Node)
    case reduce(Int)
    case start(Int)
    case firstStep(Int)
    case began(Int)
    case afterFirstStep(Int)
    case wake(Int)
    case proceed(Int)
    case run(Int)
    case attempt(Int, number: Int)
    case attemptReturned(Int, number: Int, Node)
    case attemptTimedOut(Int, Node)
    case attemptEnded(Int, number: Int, Node)
    case nextAttempt(Int, number: Int, Node)
    case race(Int, number: Int)
    case racerDispatched(Int, number: Int, Node)
    case raceEnded(Int)
    case finish(Int)
    case result(Int)
    case returned(Int, isIdle: Bool)
    case leave(Int)
    case rejection(Int)
    case reported(Int)
    case emitted(Node)
    case endDispatch(Node)
    case finishTask(Node)
    case execute([Instruction])
  }

  enum Wait: Hashable {
    case none
    case resumption(Int)
    case idle(handle: Int)
    case outcome(Int)
    case dispatches(Node)
    case race(Int)
    case time(Int, instance: Int)
  }

  /// A thread, or a task.
  struct Agent: Hashable {
    var frames: [Frame]
    var wait = Wait.none
    /// The work whose task this is.
    var instance: Int?
  }

  var rules: WorkRulesUnderTest
  var instances: [Instance] = []
  var agents: [Agent]
  var handles: [Int: Node] = [:]
  var now = 0
  /// The time before which throttled work of each lane may not begin.
  var windows: [Int: Int] = [:]
  var hasEnded = false
  /// The scopes of attempts that have ended after a failure.
  var failedAttempts: [Node] = []
  /// The scopes of attempts that have failed.
  var closedAttempts: [Node] = []

  init(_ scenario: WorkScenario, mistake: WorkMistake?) {
    rules = WorkRulesUnderTest(mistake: mistake)
    let root = rules.machine.root
    agents = scenario.programs.map { Agent(frames: [.operations($0, scope: root)]) }
  }

  var machine: WorkStateMachine { rules.machine }

  func thread(_ agent: Int) -> ThreadIdentity { ThreadIdentity(rawValue: UInt(agent) + 1) }

  func instance(of node: Node) -> Int? { instances.firstIndex { $0.node == node } }

  /// The agents that can make a step.
  var choices: [Int] {
    agents.indices.filter { index in
      switch agents[index].wait {
      case .none: !agents[index].frames.isEmpty
      case .time: true
      case .resumption, .idle, .outcome, .dispatches, .race: false
      }
    }
  }
}

/// A broken invariant.
struct WorkViolation: Error, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
