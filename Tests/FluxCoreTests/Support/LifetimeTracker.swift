import Synchronization

/// Counts how many of the objects that it has made are alive.
final class LifetimeTracker: Sendable {
  final class Tracked: Sendable {
    private let tracker: LifetimeTracker
    private let onDeinit: (@Sendable () -> Void)?

    fileprivate init(_ tracker: LifetimeTracker, onDeinit: (@Sendable () -> Void)?) {
      self.tracker = tracker
      self.onDeinit = onDeinit
      tracker.living.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
      tracker.living.wrappingSubtract(1, ordering: .relaxed)
      onDeinit?()
    }

    /// Does nothing: a closure that calls it keeps the object.
    func touch() {}
  }

  private let living = Atomic(0)

  var alive: Int { living.load(ordering: .relaxed) }

  func make(onDeinit: (@Sendable () -> Void)? = nil) -> Tracked {
    Tracked(self, onDeinit: onDeinit)
  }
}
