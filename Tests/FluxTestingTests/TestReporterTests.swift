import FluxCore
import FluxTesting
import TestSupport
import Testing
import XCTest

@Suite("Reports of a test store, in Swift Testing", .unlessItHangs, .catchesRecordedIssues)
struct TestReporterTests {
  @Test("a failure is an issue at the line of the call")
  func failure() throws {
    let store = TestStore(reducer: reduce, state: Tally())
    let line = #line + 1
    store.send(Add())
    let issue = try #require(CaughtIssues.only)
    #expect(issue.sourceLocation?.line == line)
    #expect(issue.sourceLocation?.column == 15)
    #expect(issue.sourceLocation?.fileID == #fileID)
    #expect(issue.sourceLocation?.filePath == #filePath)
    #expect(
      issue.comments.map(\.rawValue) == [
        """
        Add(amount: 1) was sent and changed the state unexpectedly.
          before → after: count: 0 → 1
        """
      ])
    #expect(!issue.isShown)
  }

  @Test("what is found when the store is released is an issue at the line where it was made")
  func released() throws {
    let line = #line + 2
    do {
      let store = TestStore(reducer: reduce, state: Tally())
      store.send(Work { context in context.dispatch(Nothing()) })
    }
    #expect(try #require(CaughtIssues.only).sourceLocation?.line == line)
  }

  #if compiler(>=6.3)
    @Test("what is only to be shown is a warning, by which the test does not fail")
    func shown() throws {
      let store = TestStore(reducer: reduce, state: Tally())
      store.exhaustivity = .off(showsSkipped: true)
      store.send(Add())
      #expect(try #require(CaughtIssues.only).isShown)
    }
  #endif

  @Test("reports go to the running test, also from tasks that it starts")
  func fromTasks() async {
    let store = TestStore(reducer: reduce, state: Tally(), reporter: .ofRunningTest)
    store.send(Add())
    await Task { store.send(Add()) }.value
    let comments = CaughtIssues.all.map { $0.comments.first?.rawValue ?? "" }
    #expect(comments.count == 2)
    #expect(comments.allSatisfy { $0.hasPrefix("Add(amount: 1) was sent") })
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
