import Flux
import FluxLog
import Foundation
import MovieBrowser
import TestSupport
import Testing

@Suite("The journal of marks")
struct MarkJournalTests {
  /// The lines of the tour that change marks.
  private static let lines = ["wish 27", "seen 3", "wish 12", "wish 12", "undo", "redo", "undo", "undo"]

  @Test(
    "after an end between two changes, a replay returns the marks before the end", arguments: 0...lines.count)
  func replay(count: Int) async throws {
    let folder = try TemporaryFolder()
    let session = try await session(in: folder)
    for line in Self.lines.prefix(count) { await session.type(line) }
    let report = try #require(try report(of: folder))
    #expect(report.entries.count == count)
    #expect(report.interruptedEntry == nil)
    #expect(report.problems.isEmpty)
    let marks: BrowserState.Marks = try report.replay(into: repeatingMarks(), with: markActions)
    #expect(marks == session.browser.store.state.marks)
  }

  @Test("a replay returns the marks at each earlier step")
  func earlierSteps() async throws {
    let folder = try TemporaryFolder()
    let session = try await session(in: folder)
    var marks = [session.browser.store.state.marks]
    for line in Self.lines {
      await session.type(line)
      marks.append(session.browser.store.state.marks)
    }
    let report = try #require(try report(of: folder))
    for (step, expected) in marks.enumerated() {
      let state: BrowserState.Marks = try report.replay(
        into: repeatingMarks(), with: markActions, upTo: step)
      #expect(state == expected, "step \(step)")
    }
  }

  @Test("the notice contains the number of changes and the last change")
  func notice() async throws {
    let folder = try TemporaryFolder()
    let session = try await session(in: folder)
    #expect(try report(of: folder)?.notice.hasPrefix("! The previous run was ended before ") == true)
    for line in ["wish 27", "undo"] { await session.type(line) }
    #expect(
      try report(of: folder)?.notice == """
        ! The previous run was ended after 2 changes of marks, the last of which was MarkMove "undo"
        ! movies --crash-report shows the changes, and movies --forget-crash removes the report.
        """)
  }

  /// Returns a browser with a journal and two pages of films.
  private func session(in folder: TemporaryFolder) async throws -> Session {
    let session = Session(plugins: [try .markJournal(in: folder.url.appending(path: "running"))])
    for line in ["list", "next"] { await session.type(line) }
    return session
  }

  /// Returns the report that a kill of the program would leave now.
  private func report(of folder: TemporaryFolder) throws -> CrashReport? {
    let killed = folder.url.appending(path: "killed-\(UUID())")
    try FileManager.default.createDirectory(at: killed, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: folder.url.appending(path: "running/journal"), to: killed.appending(path: "journal"))
    return try CrashReport.load(from: killed)
  }
}
