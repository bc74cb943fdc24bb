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
  /// The newest version it was called with; the greatest number while passes leave it out.
  ///
  /// One look tells a pass whether to call the observer. A pass may overwrite a cancellation that comes between
  /// its look and its note, and does no harm, for three reasons: only one pass runs at a time; it is about to make
  /// its one call then; and the lists of later passes are taken after the observer has been removed. An observer
  /// that is starting is never noted by a pass, so that nothing is written over its joining.
  @usableFromInline let seen = Atomic<UInt64>(.max)

  @inlinable
  init(id: UInt64, receiver: Receiver) {
    self.id = id
    self.receiver = receiver
  }

  /// Whether the observer, in a pass, has to be called with this version; if so it is marked as seen.
  @inlinable @inline(__always)
  func takes(_ version: UInt64) -> Bool {
    guard seen.load(ordering: .acquiring) < version else { return false }
    seen.store(version, ordering: .relaxed)
    return true
  }

  /// Takes part in passes with versions newer than this.
  ///
  /// Told under the store's lock.
  @inlinable
  func join(seen version: UInt64) {
    status.store(.active, ordering: .relaxed)
    seen.store(version, ordering: .releasing)
  }

  /// Takes part in nothing any more.
  ///
  /// Told under the store's lock.
  @inlinable
  func cancel() {
    status.store(.cancelled, ordering: .relaxed)
    seen.store(.max, ordering: .releasing)
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

  @inlinable
  init(call: @escaping @Sendable (State) -> Void) {
    self.call = call
  }
}

/// What an observer of a state is called through on the main actor.
@usableFromInline
struct MainReceiver<State: Sendable>: Sendable {
  @usableFromInline let call: @MainActor (State) -> Void

  @inlinable
  init(call: @escaping @MainActor (State) -> Void) {
    self.call = call
  }
}
