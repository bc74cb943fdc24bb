import FluxCore
import Testing

/// What several threads do with one store: the constant part of a model, shared by all of its states.
struct DeliveryScenario: Sendable, CustomTestStringConvertible {
  /// One operation of a thread, or of something that is called.
  enum Operation: Sendable {
    case dispatch
    /// Dispatches through a main-actor face, which empties the mailbox before it returns.
    case dispatchOnMain
    /// Subscribes an observer, whose first call is made here.
    case subscribe(Int)
    case subscribeWithoutFirstCall(Int)
    case cancel(Int)
    case openBatch
    case closeBatch
    case replaceReducer
    /// Delivers on the main actor what is in the mailbox.
    case emptyMailbox
    /// Releases the store.
    case end
  }

  /// An observer; its place in the list of observers is its place in the order of subscription.
  struct Observer: Sendable {
    var lane = DeliveryLane.anyThread
    /// Whether it has joined before the threads begin.
    var isThere = true
    /// What it does in its first call, its second, and so on; after that it does nothing.
    var reactions: [[Operation]] = []
  }

  var title: String
  var programs: [[Operation]]
  var observers: [Observer] = []
  var observesTransitions = false
  /// What the transition observer does when it hears of version 1, 2, and so on.
  var transitionReactions: [[Operation]] = []
  /// The thread that runs what is sent to the main actor.
  var mainThread: Int?
  var patience = 16
  /// Whether a pass's look at an observer and its note are two steps, as they are for other threads.
  var looksApart = false
  /// Whether an observer's calls are counted beyond its reactions, which makes more states.
  var countsCalls = false
  /// Whether a main pass, too, has to come after the transitions of its version.
  var mainPassesFollowTransitions = false
  /// What has to happen somewhere among the interleavings.
  var covers: DeliveryEvents = []

  var testDescription: String { title }
}

/// What happened in an exploration, to see that nothing was left out.
struct DeliveryEvents: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let names = [
    "committed unobserved", "committed and took over", "committed and left it to the deliverer",
    "committed in a batch", "transitions delivered", "passed", "passed again", "offered", "reclaimed",
    "found taken over", "finished", "first call again", "joined", "joined behind", "observer added",
    "observer removed", "batch opened", "batch flushed", "batch left to others", "ended", "main woken",
    "main pass began", "main pass refused", "main pass again", "main woken after a pass", "main pass left",
    "called after the look", "reducer replaced",
  ]

  static let committedUnobserved = named("committed unobserved")
  static let committedAndTookOver = named("committed and took over")
  static let committedAndLeft = named("committed and left it to the deliverer")
  static let committedInBatch = named("committed in a batch")
  static let transitionsDelivered = named("transitions delivered")
  static let passed = named("passed")
  static let passedAgain = named("passed again")
  static let offered = named("offered")
  static let reclaimed = named("reclaimed")
  static let foundTakenOver = named("found taken over")
  static let finished = named("finished")
  static let firstCallAgain = named("first call again")
  static let joined = named("joined")
  static let joinedBehind = named("joined behind")
  static let observerAdded = named("observer added")
  static let observerRemoved = named("observer removed")
  static let batchOpened = named("batch opened")
  static let batchFlushed = named("batch flushed")
  static let batchLeft = named("batch left to others")
  static let ended = named("ended")
  static let mainWoken = named("main woken")
  static let mainPassBegan = named("main pass began")
  static let mainPassRefused = named("main pass refused")
  static let mainPassAgain = named("main pass again")
  static let mainWokenAfterPass = named("main woken after a pass")
  static let mainPassLeft = named("main pass left")
  static let calledAfterLook = named("called after the look")
  static let reducerReplaced = named("reducer replaced")

  static let all = DeliveryEvents(rawValue: (1 << UInt32(names.count)) - 1)

  /// The names of the events, in their order.
  var descriptions: [String] {
    Self.names.indices.filter { rawValue & (1 << UInt32($0)) != 0 }.map { Self.names[$0] }
  }

  private static func named(_ name: String) -> DeliveryEvents {
    guard let index = names.firstIndex(of: name) else { preconditionFailure("No event is called \(name).") }
    return DeliveryEvents(rawValue: 1 << UInt32(index))
  }
}
