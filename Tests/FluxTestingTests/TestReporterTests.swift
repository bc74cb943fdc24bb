import FluxCore
import FluxTesting
import TestSupport
import Testing
import XCTest

@Suite("Reports of a test store, in Swift Testing", .unlessItHangs)
struct TestReporterTests {
  @Test("a failure is an issue at the line of the call")
  func failure() {
    let store = TestStore(reducer: reduce, state: Tally())
    let line = #line + 2
    withKnownIssue {
      store.send(Add())
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.fileID == #fileID
        && issue.sourceLocation?.filePath == #filePath && issue.sourceLocation?.column == 17
        && issue.comments.map(\.rawValue) == [
          """
          Add(amount: 1) was sent and changed the state unexpectedly.
            before → after: count: 0 → 1
          """
        ] && !issue.isShown
    }
  }

  @Test("a failure at the release of the store is an issue at the line where the store was made")
  func released() {
    let line = #line + 2
    withKnownIssue {
      let store = TestStore(reducer: reduce, state: Tally())
      store.send(Work { context in context.dispatch(Nothing()) })
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }

  #if compiler(>=6.3)
    @Test("a report for information only is a warning, which does not fail the test")
    func shown() {
      let store = TestStore(reducer: reduce, state: Tally())
      store.exhaustivity = .off(showsSkipped: true)
      withKnownIssue {
        store.send(Add())
      } matching: { issue in
        issue.isShown
      }
    }
  #endif

  @Test("reports go to the running test, also from tasks that it starts")
  func fromTasks() async {
    let store = TestStore(reducer: reduce, state: Tally(), reporter: .ofRunningTest)
    await withKnownIssue {
      store.send(Add())
      await Task { store.send(Add()) }.value
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("Add(amount: 1) was sent") == true
    }
  }

  @Test("a report contains its values, and has by default the line of the caller")
  func report() {
    let report = TestReport(message: "It rains.", isFailure: true, location: TestReport.Location())
    #expect(report.message == "It rains.")
    #expect(report.isFailure)
    #expect("\(report.location.fileID)" == #fileID)
    #expect(report.location.line == UInt(#line - 4))
  }
}

extension Issue {
  /// Whether the issue is not a failure.
  fileprivate var isShown: Bool {
    #if compiler(>=6.3)
      severity == .warning
    #else
      false
    #endif
  }
}

/// A test store in XCTest.
final class TestStoreInXCTest: XCTestCase {
  func testWhatIsExpectedPasses() async {
    let store = TestStore(reducer: reduce, state: Tally())
    store.send(Add()) { $0.count = 1 }
    store.send(Run { dispatch in dispatch(Add(amount: 2)) })
    await store.receive(Add.self) { $0.count = 3 }
    await store.finish()
    XCTAssertEqual(store.state.count, 3)
  }

  #if !canImport(ObjectiveC)
    /// The failures while they are expected.
    private var caught: [String]?

    // XCTest on Linux has no expected failures, but records each failure here.
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      if caught == nil {
        super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      } else {
        caught?.append("\(filePath):\(lineNumber): \(description)")
      }
    }

    func testAFailureIsOneOfXCTestsAtTheLineOfTheCall() {
      let store = TestStore(reducer: reduce, state: Tally())
      caught = []
      store.send(Add())
      let line = #line - 1
      let failures = caught
      caught = nil
      XCTAssertEqual(
        failures,
        [
          """
          \(#filePath):\(line): failed - Add(amount: 1) was sent and changed the state unexpectedly.
            before → after: count: 0 → 1
          """
        ])
    }

    func testWhatIsOnlyToBeShownDoesNotFail() {
      let store = TestStore(reducer: reduce, state: Tally())
      store.exhaustivity = .off(showsSkipped: true)
      caught = []
      store.send(Add())
      XCTAssertEqual(caught, [])
      caught = nil
    }
  #endif
}
