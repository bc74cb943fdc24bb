import FluxCore

/// A small program: the actions that exist, and the operations of several threads.
struct WorkScenario: Sendable {
  /// An operation of a thread, of an observer, or of work.
  indirect enum Operation: Hashable, Sendable {
    /// Dispatches an action in the current scope.
    case dispatch(Int)
    /// Dispatches an action in a new scope, which a handle names.
    case dispatchAsync(Int, handle: Int)
    /// Dispatches an action without work, in the current scope.
    case emit
    /// Starts a task in the current scope.
    case spawn([Operation])
    case cancelHandle(Int)
    case cancelLane(Int)
    case cancelEverything
    case awaitHandle(Int)
    case endStore
  }

  /// An action with work.
  struct Action: Sendable {
    var lane = 0
    var rules = WorkRules(.every)
    /// A Boolean value that indicates whether the work dispatches events: pending first, and then
    /// fulfilled or rejected.
    var isRequest = false
    var operation: [Operation] = []
    /// The greatest number of attempts, all of which fail except for the last one.
    var attempts = 1
    /// A Boolean value that indicates whether the last attempt fails too.
    var lastAttemptFails = false
    /// The time limit of each attempt.
    var timeLimit: Int?
    /// The actions of a race.
    var racers: [Int] = []
    /// The operations of observers.
    var whenReduced: [Operation] = []
    var whenPending: [Operation] = []
    var whenEnded: [Operation] = []

    /// A Boolean value that indicates whether an attempt can end before the work.
    var mayEndAttempts: Bool { attempts > 1 || lastAttemptFails || timeLimit != nil }
    var hasFirstStep: Bool { isRequest || !racers.isEmpty }
  }

  let title: String
  var actions: [Action]
  var programs: [[Operation]]

  /// Returns the identity of a lane.
  static func id(ofLane lane: Int) -> WorkID { WorkID(shared: lane) }
}
