/// The runs of a listener that have not ended, and which of them are left to cancel.
///
/// A run leaves the runs to cancel when it is taken, and so is cancelled once, however long its
/// task takes to end.
package struct ListenerRuns<Run: Sendable>: Sendable {
  /// The runs that were not taken.
  private var active = NumberedQueue<Run>()
  /// The number of runs that have not ended, including those that were taken.
  private var unfinished = 0

  package init() {}

  /// A Boolean value that indicates whether all runs have ended.
  package var isEmpty: Bool { unfinished == 0 }

  /// A run begins, with a number that is greater than that of every run before it.
  package mutating func begin(_ run: Run, number: UInt64) {
    active.append(run, number: number)
    unfinished += 1
  }

  /// Takes the runs with numbers less than `end` that were not taken before, to cancel them.
  ///
  /// Amortized O(1) for each run that has begun.
  ///
  /// - Returns: The runs, in the order in which they began.
  package mutating func take(before end: UInt64 = .max) -> [Run] {
    active.takeFirst(before: end)
  }

  /// A run has ended.
  ///
  /// O(log n) for n runs.
  package mutating func finish(_ number: UInt64) {
    _ = active.remove(number)
    unfinished -= 1
  }
}
