import FluxMiddleware

#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

/// A destination for the reports of a test store: the running test, or a closure.
public struct TestReporter: Sendable {
  /// The closure that receives each report, on the thread that creates the report.
  public let report: @Sendable (TestReport) -> Void

  /// Creates a reporter with a closure, which can be called on any thread.
  ///
  /// Use a closure for another test framework, or to test code that uses test stores.
  public init(_ report: @escaping @Sendable (TestReport) -> Void) {
    self.report = report
  }

  /// The reporter of the test that is running when this property is read.
  ///
  /// In a test of Swift Testing, a failure is recorded as an issue. A report that is not a
  /// failure is recorded as a warning, or is written to standard error if the compiler is older
  /// than Swift 6.3. Outside Swift Testing, a failure is recorded as an XCTest failure. Outside
  /// Swift Testing, a report that is not a failure is written to standard error. The test
  /// framework is selected when this property is read. A test store therefore reports to the
  /// right framework even if a task outside the test releases the test store.
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
        // Issues have no severity before Swift 6.3.
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
