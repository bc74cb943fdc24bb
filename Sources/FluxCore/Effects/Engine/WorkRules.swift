/// The rules that determine whether and when a piece of work begins.
package struct WorkRules: Hashable, Sendable {
  /// The rule for work that overlaps other work in the same lane.
  package enum Overlap: Hashable, Sendable {
    /// All work runs concurrently.
    case every
    /// Newer work cancels older work.
    case latest
    /// Work that arrives while other work is running is dropped.
    case leading
    /// Work begins when all older work is complete.
    case queue
  }

  /// The rule that determines when work begins.
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
