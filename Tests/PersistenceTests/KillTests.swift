import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A process that is killed during a save")
struct KillTests {
  /// The state of the program that is killed.
  private struct Tally: FluxState, Codable {
    var count = 0
    var padding = ""
  }

  private static let kills = 200

  @Test("a state that was known to be saved is loaded after a kill at any time, and the files are valid")
  func killed() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory(missing: 1)
    let program = try #require(builtProgram(named: "PersistenceVictim"))
    var (known, points) = (0, Set<Set<String>>())
    for number in 1...Self.kills {
      let (lines, turns) = (
        Int.random(in: 0...3, using: &random), Int.random(in: 0...30_000, using: &random)
      )
      // What waits for another program does so on a thread of its own: those of tasks are for tests that wait.
      let told = try await resultOfThread {
        Result { try Self.kill(program, in: directory.url, afterLines: lines, andTurns: turns) }
      }.get()
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      // By nothing else: it did not crash.
      #expect(told.wasKilled, comment)
      #expect(told.saved == told.saved.sorted(), comment)
      #expect(told.problems.subtracting(["half-written"]).isEmpty, comment)
      known = max(known, told.saved.last ?? 0)
      let names = try FileStorage(directory: directory.url).names()
      points.insert(Set(names))
      // Every second time it is the next victim that finds what this one has left.
      let loaded = try load(directory, inPlace: number.isMultiple(of: 2))
      #expect(loaded.value?.count ?? 0 >= known, comment)
      #expect(loaded.problems.allSatisfy { $0.code == .halfWritten }, comment)
      let expected: Set = [
        "state.json", "state.previous.json", "state.half-written.json", "state.json.partial",
      ]
      #expect(expected.isSuperset(of: names), comment)
      known = max(known, loaded.value?.count ?? 0)
    }
    // It did get somewhere, and was hit in the middle of a save.
    #expect(known > Self.kills)
    #expect(points.contains { $0.contains("state.json.partial") }, "seed \(seed)")
  }

  /// What a program has told until it ended.
  private struct Told {
    let wasKilled: Bool
    let saved: [Int]
    let problems: Set<String>
  }

  /// Starts the program, kills it once it has told enough, and returns all it has told.
  private static func kill(
    _ program: URL, in directory: URL, afterLines lines: Int, andTurns turns: Int
  ) throws -> Told {
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = [directory.path]
    process.standardOutput = output
    try process.run()
    var told = Data()
    while told.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      told += more
    }
    // Goes on for a little, so that the kill does not always follow a line.
    var spinning = SeededGenerator(seed: 0)
    for _ in 0..<turns { _ = spinning.next() }
    let isSent = Foundation.kill(process.processIdentifier, SIGKILL) == 0
    told += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // A last line that was cut off is not counted as told.
    let whole = String(decoding: told, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    return Told(
      wasKilled: isSent && process.terminationReason == .uncaughtSignal
        && process.terminationStatus == SIGKILL,
      saved: whole.compactMap { $0.hasPrefix("saved ") ? Int($0.dropFirst(6)) : nil },
      problems: Set(whole.compactMap { $0.hasPrefix("problem ") ? String($0.dropFirst(8)) : nil }))
  }

  /// Loads what is in a directory, or a copy of it.
  private func load(_ directory: TemporaryDirectory, inPlace: Bool) throws -> Loaded<Tally> {
    let files = FileStorage(directory: directory.url)
    guard !inPlace else { return Persistence<Tally, Tally>(in: files, onProblem: { _ in }).load() }
    let copy = InMemoryStorage()
    for name in try files.names() { copy.files[name] = try files.read(name) }
    return Persistence<Tally, Tally>(in: copy, onProblem: { _ in }).load()
  }
}
