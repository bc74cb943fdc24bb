import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Logs and their rules", .unlessItHangs)
struct LogModelTests {
  /// Performs random operations on a log and on the rules, and compares their results.
  ///
  /// A log in files can keep more entries than the rules after a truncation.
  private func run(_ log: any ActionLog, seed: UInt64, keepsMore: Bool) async throws {
    var random = SeededGenerator(seed: seed)
    var rules = LogContents()
    for step in 0..<60 {
      let near = Int64(rules.end.offset) + Int64.random(in: -4...1, using: &random)
      let position = LogPosition(UInt64(max(0, near)))
      let entries = (0..<Int.random(in: 0...3, using: &random)).map { Data("\(step).\($0)") }
      let comment: Comment = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let expected = Bool.random(using: &random) ? rules.end : position
        let result = await asyncOutcome { () throws(LogError) in try await log.append(entries, at: expected) }
        let rule = outcome { () throws(LogError) in try rules.append(entries, at: expected) }
        #expect(result == rule, comment)
      case 5..<7:
        let snapshot = LogSnapshot(position: position, data: Data("\(step)"))
        let result = await asyncOutcome { () throws(LogError) in try await log.save(snapshot) }.map { 0 }
        let rule = outcome { () throws(LogError) in try rules.save(snapshot) }.map { 0 }
        #expect(result == rule, comment)
      case 7:
        let before = rules.first
        let result = await asyncOutcome { () throws(LogError) in try await log.truncate(before: position) }
        let expected = outcome { () throws(LogError) in _ = try rules.truncate(before: position) }
        if !keepsMore || position > before { #expect(result.map { 0 } == expected.map { 0 }, comment) }
      default:
        let start = max(position, keepsMore ? rules.first : .start)
        let limit = Int.random(in: 0...5, using: &random)
        let result = await asyncOutcome { () throws(LogError) in
          try await log.entries(from: start, limit: limit)
        }
        let rule = outcome { () throws(LogError) in try rules.entries(from: start, limit: limit) }
        #expect(result == rule, comment)
      }
      #expect(try await log.end() == rules.end, comment)
      #expect(try await log.snapshot() == rules.snapshot, comment)
    }
    let rest = try await log.entries(from: rules.first)
    #expect(try rest == rules.entries(from: rules.first, limit: .max))
  }

  private func asyncOutcome<Value>(
    _ body: () async throws(LogError) -> Value
  ) async -> Result<Value, Reason> {
    do throws(LogError) { return .success(try await body()) } catch { return .failure(Reason(error.code)) }
  }

  private func outcome<Value>(_ body: () throws(LogError) -> Value) -> Result<Value, Reason> {
    do throws(LogError) { return .success(try body()) } catch { return .failure(Reason(error.code)) }
  }

  /// The code of an error, which the messages of different logs share.
  private struct Reason: Error, Equatable {
    let code: LogError.Code

    init(_ code: LogError.Code) {
      self.code = code
    }
  }

  @Test("after random operations, a log in memory and its rules are equal")
  func memory() async throws {
    for seed in 1...100 as ClosedRange<UInt64> { try await run(MemoryLog(), seed: seed, keepsMore: false) }
  }

  @Test("after random operations, a log in files and its rules are equal, also after another start")
  func files() async throws {
    for seed in 1...100 as ClosedRange<UInt64> {
      let storage = TestSegments()
      let log = try FileLog(storage)
      try await run(log, seed: seed, keepsMore: true)
      let reopened = try FileLog(storage)
      #expect(try await reopened.end() == log.end())
      #expect(try await reopened.snapshot() == log.snapshot())
    }
  }

  // MARK: Planned failures

  @Test("an operation that a test refuses has no effect")
  func refused() async throws {
    let fails = Shared(false)
    let log = MemoryLog { _ in fails.value ? .refuses : nil }
    try await log.append("a")
    fails.value = true
    let error = await #expect(throws: LogError.self) { try await log.append([Data("b")], at: LogPosition(1)) }
    #expect(error?.code == .unwritable)
    #expect(error?.description.contains("append") == true)
    fails.value = false
    #expect(try await log.texts() == ["a"])
  }

  @Test("an operation whose answer is lost takes effect")
  func lostAnswer() async throws {
    let log = MemoryLog { operation in
      if case .append(_, at: LogPosition(1)) = operation { .losesAnswer } else { nil }
    }
    try await log.append("a")
    await #expect(throws: LogError.self) { try await log.append([Data("b")], at: LogPosition(1)) }
    #expect(try await log.texts() == ["a", "b"])
    let error = await #expect(throws: LogError.self) { try await log.append([Data("b")], at: LogPosition(1)) }
    #expect(error?.code == .conflict || error?.code == .unwritable)
  }
}
