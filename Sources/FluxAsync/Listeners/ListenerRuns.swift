/// The unfinished runs of a listener, some of which can still be canceled.
///
/// The `take(before:)` method returns each run at most once, so the caller cancels each run at
/// most once, even if the task of the run takes a long time to end.
package struct ListenerRuns<Run: Sendable>: Sendable {
  /// The unfinished runs that `take(before:)` has not returned.
  private var active = NumberedQueue<Run>()
  /// The number of unfinished runs, including the runs that `take(before:)` has returned.
  private var unfinished = 0

  package init() {}

  /// A Boolean value that indicates whether all runs have ended.
  package var isEmpty: Bool { unfinished == 0 }

  /// Adds a new run.
  ///
  /// The number must be greater than the numbers of all earlier runs.
  package mutating func begin(_ run: Run, number: UInt64) {
    active.append(run, number: number)
    unfinished += 1
  }

  /// Returns the runs with numbers less than `end` that no earlier call has returned, so that
  /// the caller can cancel these runs.
  ///
  /// The cost is amortized O(1) for each run that has begun.
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
