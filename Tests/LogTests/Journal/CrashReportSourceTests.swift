import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog
@testable import JournalVictim

@Suite("The source of a test that replays a crash", .unlessItHangs)
struct CrashReportSourceTests {
  private func report(of actions: [any Action]) throws -> CrashReport {
    let folder = JournalTestFolder()
    let store = Store(
      reducer: accountReducer, plugins: [try .journal(in: folder.url, actions: accountActions)],
      state: Account(notes: "#1"))
    for action in actions { store.dispatch(action) }
    return try #require(try folder.copy().report())
  }

  @Test("it contains the state, the actions, and the expressions")
  func source() throws {
    let report = try report(of: [Deposit(amount: 3, note: "a \"##b\"\t\\"), Split(by: 2)])
    let expected = ####"""
      import FluxCore
      import FluxMiddleware
      import Foundation
      import Testing

      @testable import JournalVictim

      @Test("the reducer can reduce the actions before a crash")
      func reducesActionsBeforeCrash() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        var recordedState = try decoder.decode(Account.self, from: Data(##"""
          {"balance":0,"count":0,"notes":"#1","pin":"4711"}
          """##.utf8))
        // Each line contains the name of an action, a tab, and the action.
        // The program ended after the last action.
        let recordedActions = ###"""
          Deposit	{"amount":3,"note":"a \"##b\"\t\\"}
          Split	{"by":2}
          """###
        for line in recordedActions.split(separator: "\n") {
          let parts = line.split(separator: "\t", maxSplits: 1)
          let action = try accountActions.decode(String(parts[0]), from: Data(parts[1].utf8))
          accountReducer(&recordedState, action)
        }
      }

      """####
    #expect(try report.testSource(reducer: "accountReducer", actions: "accountActions") == expected)
  }

  @Test("it compiles against the module of the program")
  func compiles() async throws {
    let report = try report(of: [Deposit(amount: 3, note: "a \"##b\"\t\\\n\u{1}é"), Split(by: 2)])
    let source = try report.testSource(reducer: "accountReducer", actions: "accountActions")
    #expect(try await diagnostics(of: source) == "")
    #expect(try await diagnostics(of: source + "let wrong: Int = \"\"\n").contains("cannot convert"))
  }

  /// The output of the compiler, which finds the modules next to the running tests.
  private func diagnostics(of source: String) async throws -> String {
    let folder = JournalTestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.url.appending(path: "Crash.swift")
    try Data(source.utf8).write(to: file)
    let program = try #require(builtProgram(named: "JournalVictim"))
    let modules = program.deletingLastPathComponent().appending(path: "Modules").path
    let output = Pipe()
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, file.path]
    compiler.standardError = output
    try compiler.run()
    let text = await resultOfThread {
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    compiler.waitUntilExit()
    return text
  }

  @Test("text in a damaged report cannot end the literal that contains it")
  func injection() throws {
    let memory = TracedMemory()
    var ring = JournalRing(in: memory, count: 4_096)
    _ = ring.begin(half: JournalRecord(name: JournalName("A.B"), contents: Data("{}".utf8)), in: memory)
    let text = "1\n\"\"\"#\nfatalError()\n\u{7F}\\#(1)"
    _ = ring.begin(JournalRecord(name: JournalName("C"), contents: Data(text.utf8)), in: memory)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    for (offset, byte) in memory.stores.joined() { bytes[offset] = byte }
    let source = try CrashReport(bytes, file: "journal").testSource()
    let line = "    C\t1\\##u{a}\"\"\"#\\##u{a}fatalError()\\##u{a}\\##u{7f}\\#(1)"
    #expect(source.split(separator: "\n").contains { $0 == line })
    #expect(source.contains("ended while it reduced the last action"))
  }
}
