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
        Result {
          try KilledProgram(program, [directory.url.path], afterLines: lines, andTurns: turns)
        }
      }.get()
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      // Only the signal ended the program: it did not crash.
      #expect(told.wasKilled, comment)
      let saved = told.lines(beginningWith: "saved").compactMap { Int($0) }
      #expect(saved == saved.sorted(), comment)
      #expect(told.lines(beginningWith: "problem").allSatisfy { $0 == "half-written" }, comment)
      known = max(known, saved.last ?? 0)
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

  /// Loads the files of a directory, or of a copy.
  private func load(_ directory: TemporaryDirectory, inPlace: Bool) throws -> Loaded<Tally> {
    let files = FileStorage(directory: directory.url)
    guard !inPlace else { return Persistence<Tally, Tally>(in: files, onProblem: { _ in }).load() }
    let copy = InMemoryStorage()
    for name in try files.names() { copy.files[name] = try files.read(name) }
    return Persistence<Tally, Tally>(in: copy, onProblem: { _ in }).load()
  }
}
