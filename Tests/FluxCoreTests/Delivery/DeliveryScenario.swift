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
  /// How many passes a thread makes before it offers to hand over; `nil` is what a store has.
  var patience: Int?
  /// Whether a pass's look at an observer and its note are two steps, as they are for other threads.
  var looksApart = false
  /// Whether an observer's calls are counted beyond its reactions, which makes more states.
  var countsCalls = false
  /// What has to happen somewhere among the interleavings.
  var covers: [DeliveryEvent] = []

  var testDescription: String { title }
}
