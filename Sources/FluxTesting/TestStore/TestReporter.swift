import FluxMiddleware

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// Where the reports of a test store go: to the test that runs, or to a closure.
public struct TestReporter: Sendable {
  /// Takes a report, on the thread that makes it.
  public let report: @Sendable (TestReport) -> Void

  /// Creates a reporter from a closure, which may be called from any thread.
  ///
  /// For a test framework of another kind, and for testing what is made of test stores.
  public init(_ report: @escaping @Sendable (TestReport) -> Void) {
    self.report = report
  }

  /// The reporter of the test that runs where this is read.
  ///
  /// In a test of Swift Testing a failure is an issue, and what is only to be shown is an issue that is a warning. In
  /// any other place a failure is one of XCTest's, and what is only to be shown goes to standard error. Which of the two
  /// it is, is settled here: a test store that is released by a task that is no part of the test still reports to the
  /// right one.
  public static var ofRunningTest: TestReporter {
    #if canImport(Testing)
      if Test.current != nil { return .swiftTesting }
    #endif
    return .xctest
  }

  #if canImport(Testing)
    private static let swiftTesting = TestReporter { report in
      let location = SourceLocation(
        fileID: "\(report.location.fileID)", filePath: "\(report.location.filePath)",
        line: Int(report.location.line), column: Int(report.location.column))
      let comment = Comment(rawValue: report.message)
      #if compiler(>=6.3)
        Issue.record(comment, severity: report.isFailure ? .error : .warning, sourceLocation: location)
      #else
        // There are no warnings yet.
        if report.isFailure { Issue.record(comment, sourceLocation: location) } else { report.show() }
      #endif
    }
  #endif

  private static let xctest = TestReporter { report in
    #if canImport(XCTest)
      if report.isFailure {
        return XCTFail(report.message, file: report.location.filePath, line: report.location.line)
      }
    #endif
    report.show()
  }
}

extension TestReport {
  /// Writes the report to standard error.
  fileprivate func show() {
    LogSink.standardError.write("\(location.filePath):\(location.line): \(message)")
  }
}
