/// Work that is measured: something is set up, and then the same is done so many times.
public struct Workload: Sendable {
  /// What one turn of a workload is measured in.
  public enum Unit: String, Sendable {
    /// Instructions, allocations and look-ups of the run-time, counted from outside.
    case instructions
    /// Bytes that are still taken after a turn.
    case bytes
    /// Nanoseconds: where threads meet, instructions say nothing.
    case nanoseconds
  }

  /// Does something so many times.
  public typealias Turns = (_ times: Int) -> Void

  /// Its name on the command line and in budgets.
  public let name: String
  /// What is done, for tables.
  public let title: String
  /// The workload that does the same by hand, in this run.
  public let floor: String?
  /// How many turns are measured.
  public let turns: Int
  /// What a turn is measured in.
  public let unit: Unit
  /// Prepares the work; only what it returns is measured.
  public let setUp: @Sendable () -> Turns

  init(
    _ name: String, _ title: String, floor: String? = nil, turns: Int = 10_000, unit: Unit = .instructions,
    setUp: @escaping @Sendable () -> Turns
  ) {
    self.name = name
    self.title = title
    self.floor = floor
    self.turns = turns
    self.unit = unit
    self.setUp = setUp
  }
}

/// Workloads about one thing, which stand together in tables.
public struct WorkloadGroup: Sendable {
  /// What they are about.
  public let title: String
  /// The workloads, in the order of a table.
  public let workloads: [Workload]

  init(_ title: String, _ workloads: [Workload]) {
    self.title = title
    self.workloads = workloads
  }
}

/// All workloads there are.
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
  WorkloadGroup("History", historyWorkloads),
  WorkloadGroup("Asynchronous work", asyncWorkloads),
  WorkloadGroup("Listeners", listenerWorkloads),
  WorkloadGroup("Memory", memoryWorkloads),
  WorkloadGroup("Threads", threadWorkloads),
]

/// A number as it is read best: `100,000`.
func grouped(_ number: Int) -> String {
  number < 1_000 ? "\(number)" : grouped(number / 1_000) + "," + "\(1_000 + number % 1_000)".dropFirst()
}
