import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import JournalVictim

@Suite("Journals of programs that end in a child process", .unlessItHangs)
struct JournalKillTests {
  private static let kills = 30

  /// The end of a program, and the numbers of the actions whose reducer was called.
  private struct Told {
    let process: Process
    let reduced: [Int]
  }

  /// Starts the program, and kills it after a number of lines.
  ///
  /// - Parameter inReducer: A Boolean value that indicates whether the reducer that writes the
  ///   last of these lines does not return.
  private static func run(
    in directory: URL, _ ending: String, killAfter lines: Int? = nil, inReducer: Bool = false,
    andTurns turns: Int = 0
  ) throws -> Told {
    let (process, output) = (Process(), Pipe())
    let program = try #require(builtProgram(named: "JournalVictim"))
    process.executableURL = program
    process.arguments = [directory.path, ending] + (inReducer ? [lines.map { "\($0)" } ?? ""] : [])
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var told = Data()
    if let lines {
      while told.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        told += more
      }
      // Waits for a short time, so that the kill does not always follow a line.
      var spinning = SeededGenerator(seed: 0)
      for _ in 0..<turns { _ = spinning.next() }
      #expect(kill(process.processIdentifier, SIGKILL) == 0)
    }
    told += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // An incomplete last line does not count.
    let whole = String(decoding: told, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    return Told(process: process, reduced: whole.dropLast().compactMap { Int($0) })
  }

  @Test("after a kill at any time, the report contains each action whose reducer was called")
  func killed() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let folder = JournalTestFolder()
    var long = 0
    for number in 1...Self.kills {
      let lines = Int.random(in: 1...600, using: &random)
      let turns = Int.random(in: 0...30_000, using: &random)
      // Every third program is killed in a reducer, and the others at any time.
      let inReducer = number % 3 == 0
      let told = try await resultOfThread {
        Result {
          try Self.run(in: folder.url, "run", killAfter: lines, inReducer: inReducer, andTurns: turns)
        }
      }.get()
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      #expect(told.process.terminationReason == .uncaughtSignal, comment)
      #expect(told.reduced == Array(1...told.reduced.count), comment)
      let report = try #require(try folder.report(), comment)
      #expect(report.problems.isEmpty, comment)
      // The count of actions in the state shows how many actions precede the report.
      let first: Account = try report.replay(into: accountReducer, with: accountActions, upTo: 0)
      let recorded = first.count + report.entries.count
      #expect(recorded == told.reduced.count || recorded == told.reduced.count + 1, comment)
      if inReducer {
        #expect(report.interruptedEntry == report.entries.count - 1, comment)
        #expect(told.reduced.count == lines, comment)
      }
      if first.count > 0 { long += 1 }
      let last: Account = try report.replay(
        into: accountReducer, with: accountActions, upTo: report.entries.count)
      #expect(last.count == recorded, comment)
      let isRight = report.entries.allSatisfy { entry in
        let deposit = entry.json.flatMap { try? JSONDecoder().decode(Deposit.self, from: $0) }
        return deposit.map { [1, 2].contains($0.amount) && $0.note.count == $0.amount } ?? false
      }
      #expect(isRight, comment)
    }
    // Some programs were killed after a snapshot had replaced old actions.
    #expect(long > 0)
  }

  @Test("after a trap in a reducer, a replay of all actions traps, and a replay of the others does not")
  func trapped() async throws {
    let folder = JournalTestFolder(named: "trap")
    let told = try await resultOfThread { Result { try Self.run(in: folder.url, "trap") } }.get()
    // The address sanitizer turns the signal of a trap into an exit with an error.
    #expect(told.process.terminationReason == .uncaughtSignal || told.process.terminationStatus != 0)
    #expect(told.reduced == Array(1...501))
    let report = try #require(try folder.report())
    #expect(report.interruptedEntry == report.entries.count - 1)
    #expect(report.entries.last?.description == #"Split {"by":0}"#)
    let state: Account = try report.replay(into: accountReducer, with: accountActions)
    #expect(state.count == 500)
    #expect(state.balance == (1...500).reduce(0, +))
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      // Swift 6.2 cannot pass a value to the other process.
      let folder = JournalTestFolder(named: "trap", of: getppid())
      guard let report = try folder.report(), report.interruptedEntry != nil else { return }
      print("replays")
      let _: Account = try report.replay(
        into: accountReducer, with: accountActions, upTo: report.entries.count)
      print("does not trap")
    }
    let output = exit.map { String(decoding: $0.standardOutputContent, as: UTF8.self) }
    #expect(output?.contains("replays") == true)
    #expect(output?.contains("does not trap") == false)
  }

  @Test("a program that calls exit without releasing its store leaves no report")
  func exited() async throws {
    let folder = JournalTestFolder()
    let told = try await resultOfThread { Result { try Self.run(in: folder.url, "exit") } }.get()
    #expect(told.process.terminationStatus == 0)
    #expect(told.reduced == [1, 2, 3, 4, 5])
    #expect(try folder.report() == nil)
  }
}
