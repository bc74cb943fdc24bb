/// An event of a store's delivery, which is recorded to show that an exploration covers every
/// event.
enum DeliveryEvent: UInt32, CaseIterable, Sendable {
  case committedUnobserved
  case committedAndTookOver
  case committedAndLeft
  case committedInBatch
  case transitionsDelivered
  case transitionObserverAdded
  case transitionObserverRemoved
  case passed
  case passedAgain
  case offered
  case reclaimed
  case foundTakenOver
  case observerAdded
  case observerRemoved
  case firstCallAgain
  case joined
  case joinedBehind
  /// A call whose pass had examined the observer before it was canceled.
  case calledAfterLook
  case batchOpened
  case batchFlushed
  case batchLeft
  case reducerReplaced
  case ended
  case finished
  case mainWoken
  case mainPassBegan
  case mainPassRefused
  case mainPassAgain
  case mainPassLeft
  case mainWokenAfterPass
}

/// A set of events, small enough to be changed at every step of an exploration.
struct DeliveryEvents: Sendable {
  private var bits: UInt32 = 0

  mutating func insert(_ event: DeliveryEvent) {
    bits |= 1 << event.rawValue
  }

  func contains(_ event: DeliveryEvent) -> Bool {
    bits & 1 << event.rawValue != 0
  }
}
