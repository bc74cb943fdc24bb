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
      // A wait for another program runs on a separate thread, because the threads of tasks are
      // needed by tests that wait.
      let told = try await resultOfThread {
        Result { try Self.kill(program, in: directory.url, afterLines: lines, andTurns: turns) }
      }.get()
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      // Only the signal ended the program: it did not crash.
      #expect(told.wasKilled, comment)
      #expect(told.saved == told.saved.sorted(), comment)
      #expect(told.problems.subtracting(["half-written"]).isEmpty, comment)
      known = max(known, told.saved.last ?? 0)
      let names = try FileStorage(directory: directory.url).names()
      points.insert(Set(names))
      // Every second time the next victim loads the files that this one has left.
      let loaded = try load(directory, inPlace: number.isMultiple(of: 2))
      #expect(loaded.value?.count ?? 0 >= known, comment)
      #expect(loaded.problems.allSatisfy { $0.code == .halfWritten }, comment)
      let expected: Set = [
        "state.json", "state.previous.json", "state.half-written.json", "state.json.partial",
      ]
      #expect(expected.isSuperset(of: names), comment)
      known = max(known, loaded.value?.count ?? 0)
    }
    // The victims made progress, and some were killed during a save.
    #expect(known > Self.kills)
    #expect(points.contains { $0.contains("state.json.partial") }, "seed \(seed)")
  }

  /// The lines that a program wrote until it ended.
  private struct Told {
    let wasKilled: Bool
    let saved: [Int]
    let problems: Set<String>
  }

  /// Starts the program, kills it after enough lines, and returns all its lines.
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
    // Waits for a short time, so that the kill does not always follow a line.
    var spinning = SeededGenerator(seed: 0)
    for _ in 0..<turns { _ = spinning.next() }
    let isSent = Foundation.kill(process.processIdentifier, SIGKILL) == 0
    told += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // An incomplete last line does not count.
    let whole = String(decoding: told, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    return Told(
      wasKilled: isSent && process.terminationReason == .uncaughtSignal
        && process.terminationStatus == SIGKILL,
      saved: whole.compactMap { $0.hasPrefix("saved ") ? Int($0.dropFirst(6)) : nil },
      problems: Set(whole.compactMap { $0.hasPrefix("problem ") ? String($0.dropFirst(8)) : nil }))
  }

  /// Loads the files of a directory, or of a copy.
  private func load(_ directory: TemporaryDirectory, inPlace: Bool) throws -> Loaded<Tally> {
    let files = FileStorage(directory: directory.url)
    guard !inPlace else { return Persistence<Tally, Tally>(in: files, onProblem: { _ in }).load() }
    let copy = InMemoryStorage()
    for name in try files.names() { copy.files[name] = try files.read(name) }
    return Persistence<Tally, Tally>(in: copy, onProblem: { _ in }).load()
  }
}
