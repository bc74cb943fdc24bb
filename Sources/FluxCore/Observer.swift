public import Synchronization

/// One subscription, as the store's core keeps it.
@usableFromInline
final class Observer<Receiver: Sendable>: Sendable {
  /// Its place in the order of subscription.
  @usableFromInline let id: UInt64
  /// What it is called through.
  @usableFromInline let receiver: Receiver
  /// Where it stands; changed under the store's lock only.
  @usableFromInline let status = Atomic<ObserverStatus>(.starting)
  /// The newest version it was called with.
  ///
  /// Only the one thread that may call the observer reads or writes it.
  @usableFromInline let seen = Atomic<UInt64>(0)

  init(id: UInt64, receiver: Receiver) {
    self.id = id
    self.receiver = receiver
  }

  /// Whether the observer, in a pass, has to be called with this version; if so it is marked as seen.
  @inlinable
  func takes(_ version: UInt64) -> Bool {
    guard status.load(ordering: .acquiring) == .active, seen.load(ordering: .relaxed) < version else {
      return false
    }
    seen.store(version, ordering: .relaxed)
    return true
  }
}

/// Where an observer stands.
@frozen @usableFromInline
enum ObserverStatus: UInt8, AtomicRepresentable {
  /// Its first call is the subscriber's: passes leave it out.
  case starting
  case active
  /// Final.
  case cancelled
}

/// What an observer of a state is called through, on the thread that delivers.
@frozen @usableFromInline
struct StateReceiver<State: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (State) -> Void
}

/// What an observer of a state is called through on the main actor.
@usableFromInline
struct MainReceiver<State: Sendable>: Sendable {
  let call: @MainActor (State) -> Void
}
