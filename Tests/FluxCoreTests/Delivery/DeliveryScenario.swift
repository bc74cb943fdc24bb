import FluxCore
import Testing

/// What several threads do with one store: the constant part of a model, shared by all of its states.
struct DeliveryScenario: Sendable, CustomTestStringConvertible {
  /// One operation of a thread, or of a called observer.
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
    /// Adds the observer of transitions to the running store.
    case observeTransitions
    /// Removes the observer of transitions.
    case ignoreTransitions
    /// Delivers on the main actor what is in the mailbox.
    case emptyMailbox
    /// Releases the store.
    case end
  }

  /// An observer; its position in the list of observers is its position in the order of
  /// subscription.
  struct Observer: Sendable {
    var lane = DeliveryLane.anyThread
    /// Whether it has subscribed before the threads begin.
    var isThere = true
    /// Its operations in the first call, the second call, and so on; after that it does nothing.
    var reactions: [[Operation]] = []
  }

  var title: String
  var programs: [[Operation]]
  var observers: [Observer] = []
  /// Whether transitions are observed before the threads begin.
  var observesTransitions = false
  /// The operations of the transition observer for version 1, 2, and so on.
  var transitionReactions: [[Operation]] = []
  /// The thread that runs the tasks of the main actor.
  var mainThread: Int?
  /// The number of passes after which a thread offers to hand over; `nil` for a store's own
  /// number.
  var patience: Int?
  /// Whether a pass examines an observer and marks it in two steps, as other threads may see it.
  var looksApart = false
  /// Whether an observer's calls are counted beyond its reactions, which makes more states.
  var countsCalls = false
  /// The events that have to happen in some interleaving.
  var covers: [DeliveryEvent] = []

  var testDescription: String { title }
}
