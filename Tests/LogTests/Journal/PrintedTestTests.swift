import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog
@testable import JournalVictim

/// The printed tests are compiled and linked with the objects of the running tests, which a
/// sanitizer would change.
@Suite("A printed test that replays a crash", .unlessItHangs)
struct PrintedTestTests {
  /// The output of a test, and the status with which it ended.
  private struct Outcome {
    let output: String
    let hasSucceeded: Bool
  }

  @Test("after a trap in a reducer, the printed test traps in the same reducer")
  func traps() async throws {
    let folder = JournalTestFolder()
    let victim = try #require(builtProgram(named: "JournalVictim"))
    let crash = try await outcome(of: [victim.path, folder.url.path, "trap"])
    #expect(crash.output.contains("Fatal error: Division by zero"))
    let report = try #require(try folder.report())
    let outcome = try await run(report.testSource(reducer: "accountReducer", actions: "accountActions"))
    #expect(!outcome.hasSucceeded)
    #expect(outcome.output.contains("the reducer can reduce the actions before a crash"))
    #expect(outcome.output.contains("Fatal error: Division by zero"))
  }

  @Test("after a kill between two actions, the printed test passes")
  func passes() async throws {
    let folder = JournalTestFolder()
    let store = Store(
      reducer: accountReducer, plugins: [try .journal(in: folder.url, actions: accountActions)],
      state: Account())
    for number in 1...9 { store.dispatch(Deposit(amount: number, note: "a \"##b\"\t\\\n\u{1}é")) }
    store.dispatch(Split(by: 3))
    let report = try #require(try folder.copy().report())
    let outcome = try await run(report.testSource(reducer: "accountReducer", actions: "accountActions"))
    #expect(outcome.hasSucceeded, "\(outcome.output)")
    #expect(outcome.output.contains("1 test in 0 suites passed"))
  }

  private func run(_ source: String) async throws -> Outcome {
    let folder = JournalTestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let files = ["Crash": source, "Main": Self.main].map { name, text in
      (folder.url.appending(path: "\(name).swift"), text)
    }
    for (file, text) in files { try Data(text.utf8).write(to: file) }
    let products = try #require(builtProgram(named: "JournalVictim")).deletingLastPathComponent()
    let modules = ["FluxCore", "FluxCollections", "FluxMiddleware", "FluxAsync", "FluxLog", "JournalVictim"]
    // The folders of the modules can also contain objects of files that were renamed.
    let list = products.appending(path: "FluxPackageTests.product/Objects.LinkFileList")
    let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
      .filter { path in modules.contains { path.contains("/\($0).build/") } }
    let program = folder.url.appending(path: "crash")
    let compiled = try await outcome(
      of: ["swiftc", "-parse-as-library", "-swift-version", "6", "-o", program.path]
        + ["-I", products.appending(path: "Modules").path] + files.map(\.0.path) + objects)
    try #require(compiled.hasSucceeded, "\(compiled.output)")
    return try await outcome(of: [program.path])
  }

  /// The main function that the package manager generates for tests.
  private static let main = """
    import Testing

    @main struct Main {
      static func main() async { await Testing.__swiftPMEntryPoint() as Never }
    }
    """

  private func outcome(of command: [String]) async throws -> Outcome {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A backtrace takes seconds, and creates files.
    process.arguments = ["SWIFT_BACKTRACE=enable=no"] + command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = await resultOfThread {
      String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Outcome(output: text, hasSucceeded: process.terminationStatus == 0)
  }
}
