import TestSupport
import Testing

/// The issues that the running test recorded with `Issue.record`.
///
/// The suite of the test must have the trait `catchesRecordedIssues`.
///
/// A caught issue is not reported, and the test does not fail because of it. A failed expectation
/// is reported, and the test fails.
struct CaughtIssues: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal private static var recorder: Recorder<Issue>?

  static var all: [Issue] { recorder?.values ?? [] }

  /// The issue, if the test recorded exactly one.
  static var only: Issue? { all.count == 1 ? all[0] : nil }

  // Each test of the suite has its own recorder.
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let handler = IssueHandlingTrait.compactMapIssues { issue in
      guard case .unconditional = issue.kind, let recorder = Self.recorder else { return issue }
      recorder.record(issue)
      return nil
    }
    try await Self.$recorder.withValue(Recorder()) {
      try await handler.provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == CaughtIssues {
  /// Catches the issues that a test records with `Issue.record`.
  static var catchesRecordedIssues: CaughtIssues { CaughtIssues() }
}
