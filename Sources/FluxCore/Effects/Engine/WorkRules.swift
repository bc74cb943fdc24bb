/// The rules for the beginning of a piece of work.
package struct WorkRules: Hashable, Sendable {
  /// The rule for work that overlaps other work of the same lane.
  package enum Overlap: Hashable, Sendable {
    /// All work runs concurrently.
    case every
    /// Newer work cancels older work.
    case latest
    /// Work that arrives while other work is running is dropped.
    case leading
    /// Work runs after older work has left the tree.
    case queue
  }

  /// The rule for the time at which work begins.
  package enum Pace: Hashable, Sendable {
    case immediate
    case debounced(Duration)
    case throttled(Duration, latest: Bool)
  }

  package var overlap: Overlap
  package var pace: Pace

  package init(_ overlap: Overlap, pace: Pace = .immediate) {
    self.overlap = overlap
    self.pace = pace
  }
}
