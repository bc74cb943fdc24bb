/// A collection of the runs of a listener that have not ended, which tracks the runs that can
/// be canceled.
///
/// Each run is taken at most once. The caller therefore cancels each run at most once, even if
/// the task of the run takes a long time to end.
package struct ListenerRuns<Run: Sendable>: Sendable {
  /// The runs that were not taken.
  private var active = NumberedQueue<Run>()
  /// The number of runs that have not ended, including those that were taken.
  private var unfinished = 0

  package init() {}

  /// A Boolean value that indicates whether all runs have ended.
  package var isEmpty: Bool { unfinished == 0 }

  /// Adds a run that begins.
  ///
  /// The number must be greater than the number of every earlier run.
  package mutating func begin(_ run: Run, number: UInt64) {
    active.append(run, number: number)
    unfinished += 1
  }

  /// Takes the runs with numbers less than `end`, so that the caller can cancel them.
  ///
  /// Runs that were taken before are not included. The cost is amortized O(1) for each run that
  /// has begun.
  ///
  /// - Returns: The runs, in the order in which they began.
  package mutating func take(before end: UInt64 = .max) -> [Run] {
    active.takeFirst(before: end)
  }

  /// Removes a run that has ended.
  ///
  /// The cost is O(log n) for n runs.
  package mutating func finish(_ number: UInt64) {
    _ = active.remove(number)
    unfinished -= 1
  }
}
