/// A measured operation, which is set up once and then repeated.
public struct Workload: Sendable {
  /// The unit in which the cost of a turn is measured.
  public enum Unit: String, Sendable {
    /// Instructions, allocations, and look-ups of the run-time, which valgrind counts.
    case instructions
    /// Bytes that are still allocated after a turn.
    case bytes
    /// Nanoseconds, because instruction counts do not show the cost of contention between threads.
    case nanoseconds
  }

  /// Runs the given number of turns.
  public typealias Turns = (_ times: Int) -> Void

  /// The name of the workload on the command line and in budgets.
  public let name: String
  /// The description of the workload in tables.
  public let title: String
  /// The name of the handwritten workload that does the same in the same run.
  public let floor: String?
  /// The number of measured turns.
  public let turns: Int
  /// The number of runs, of which the median counts.
  ///
  /// Several runs are needed if the cost depends on the order in which threads run.
  public let runs: Int
  /// The unit of the measurement.
  public let unit: Unit
  /// Prepares the workload, and returns the closure that is measured.
  public let setUp: @Sendable () -> Turns

  init(
    _ name: String, _ title: String, floor: String? = nil, turns: Int = 10_000, runs: Int = 1,
    unit: Unit = .instructions,
    setUp: @escaping @Sendable () -> Turns
  ) {
    self.name = name
    self.title = title
    self.floor = floor
    self.turns = turns
    self.runs = runs
    self.unit = unit
    self.setUp = setUp
  }
}

/// Workloads on one topic, which tables show together.
public struct WorkloadGroup: Sendable {
  /// The topic of the workloads.
  public let title: String
  /// The workloads, in the order of a table.
  public let workloads: [Workload]

  init(_ title: String, _ workloads: [Workload]) {
    self.title = title
    self.workloads = workloads
  }
}

/// All groups of workloads.
public let workloadGroups: [WorkloadGroup] = [
  WorkloadGroup("Dispatch", dispatchWorkloads),
  WorkloadGroup("Middleware", middlewareWorkloads),
  WorkloadGroup("Middleware for other actions", indifferentWorkloads),
  WorkloadGroup("Observers", observerWorkloads),
  WorkloadGroup("Observers of slices", sliceWorkloads),
  WorkloadGroup("Observers of single elements", elementObserverWorkloads),
  WorkloadGroup("Large states", entryWorkloads),
  WorkloadGroup("Log lines", loggingWorkloads),
  WorkloadGroup("Matching actions", matchingWorkloads),
  WorkloadGroup("Reducers for a part of the state", liftingWorkloads),
  WorkloadGroup("Lists", listWorkloads),
  WorkloadGroup("Lists of 1,000 elements", orderWorkloads),
  WorkloadGroup("History", historyWorkloads),
  WorkloadGroup("Logs of actions", logWorkloads),
  WorkloadGroup("Asynchronous work", asyncWorkloads),
  WorkloadGroup("Queries", queryWorkloads),
  WorkloadGroup("Listeners", listenerWorkloads),
  WorkloadGroup("Navigation", navigationWorkloads),
  WorkloadGroup("Features", featureWorkloads),
  WorkloadGroup("Exploration of orders", explorationWorkloads),
  WorkloadGroup("Memory", memoryWorkloads),
  WorkloadGroup("Threads", threadWorkloads),
]

/// Returns a number with separators for thousands, such as `100,000`.
func grouped(_ number: Int) -> String {
  number < 1_000 ? "\(number)" : grouped(number / 1_000) + "," + "\(1_000 + number % 1_000)".dropFirst()
}
