import Benchmark
import Workloads

/// Measures the times of the workloads, which are not compared with budgets.
let benchmarks: @Sendable () -> Void = {
  for workload in workloadGroups.flatMap(\.workloads) where workload.unit != .bytes {
    let isShort = workload.turns >= 1_000
    var turns: Workload.Turns?
    Benchmark(
      workload.name,
      configuration: Benchmark.Configuration(
        metrics: [.wallClock], scalingFactor: isShort ? .kilo : .one, maxDuration: .seconds(1))
    ) { benchmark in
      turns?(benchmark.scaledIterations.count)
    } setup: {
      turns = workload.setUp()
    }
  }
}
