import Synchronization

/// Counts the living objects that it has created.
package final class LifetimeTracker: Sendable {
  package final class Tracked: Sendable {
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
    package func touch() {}
  }

  private let living = Atomic(0)

  package init() {}

  package var alive: Int { living.load(ordering: .relaxed) }

  package func make(onDeinit: (@Sendable () -> Void)? = nil) -> Tracked {
    Tracked(self, onDeinit: onDeinit)
  }
}
