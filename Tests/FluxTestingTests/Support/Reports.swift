import FluxCore
import FluxTesting
import TestSupport

/// The reports of test stores.
final class Reports: Sendable {
  private let recorder = Recorder<TestReport>()

  var all: [TestReport] { recorder.values }
  var failures: [String] { all.filter(\.isFailure).map(\.message) }
  var shown: [String] { all.filter { !$0.isFailure }.map(\.message) }

  var reporter: TestReporter { TestReporter { [recorder] in recorder.record($0) } }

  /// A test store that reports here.
  func store(
    middleware: [Middleware<Tally>]? = nil, plugins: [Plugin<Tally>] = [],
    timeout: Duration = .seconds(900), timeoutClock: any Clock<Duration> = ContinuousClock(),
    line: UInt = #line
  ) -> TestStore<Tally> {
    TestStore(
      reducer: reduce, middleware: middleware, plugins: plugins, state: Tally(), timeout: timeout,
      timeoutClock: timeoutClock, reporter: reporter, line: line)
  }
}
