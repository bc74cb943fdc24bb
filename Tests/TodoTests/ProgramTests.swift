import Foundation
import TestSupport
import Testing
import TodoList

@Suite("The program todos")
struct ProgramTests {
  @Test(
    "a signal that ends the program saves the changes",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) async throws {
    let folder = DataFolder()
    let executable = try #require(builtProgram(named: "todos"))
    let program = Process()
    program.executableURL = executable
    program.arguments = ["--data", folder.url.path]
    let (typed, written) = (Pipe(), Pipe())
    program.standardInput = typed
    program.standardOutput = written
    let (output, pieces) = AsyncStream.makeStream(of: Data.self)
    written.fileHandleForReading.readabilityHandler = { handle in
      let piece = handle.availableData
      if piece.isEmpty { pieces.finish() } else { pieces.yield(piece) }
    }
    let (end, ended) = AsyncStream.makeStream(of: Int32.self)
    program.terminationHandler = { ended.yield($0.terminationStatus) }
    try program.run()
    try typed.fileHandleForWriting.write(contentsOf: Data("add buy milk\n".utf8))

    var shown = Data()
    for await piece in output {
      shown += piece
      if String(decoding: shown, as: UTF8.self).contains("  1 [ ] buy milk\n") { break }
    }
    written.fileHandleForReading.readabilityHandler = nil
    kill(program.processIdentifier, number)
    #expect(await end.first { _ in true } == 128 + number)
    #expect(try RunProgram(in: folder).first == "  1 [ ] buy milk")
  }

  @Test(
    "after a kill, the list and the history contain each change before the last prompt",
    arguments: 1...8)
  func changesAfterKill(number: Int) async throws {
    let folder = DataFolder()
    var random = SeededGenerator(seed: UInt64(number))
    // The output does not fit into a pipe, so the program cannot end before the kill.
    let lines = (1...4_000).map { line in
      switch random.next() % 6 {
      case 0, 1: "undo"
      case 2: "redo"
      case 3: "edit 1 \(line)"
      default: "add \(line)"
      }
    }
    try folder.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: "lines")
    let killed = try KilledProgram(
      try #require(builtProgram(named: "todos")), ["--data", folder.url.path],
      reading: folder.url.appending(path: "lines"), afterLines: 100 * number, andTurns: 300 * number)
    #expect(killed.wasKilled)
    let begun = killed.lines(beginningWith: ">").count
    #expect(begun > 0)
    let moves = Array(repeating: "undo", count: 30) + Array(repeating: "redo", count: 30)
    let kept = try RunProgram(in: folder, typing: ["list", "history"] + moves)
    // The change of the last line was perhaps not saved.
    var possible: [[String]] = []
    for count in [begun - 1, begun] {
      possible.append(try await screens(after: lines.prefix(count), typing: ["list", "history"] + moves))
    }
    #expect(possible.contains(Array(kept.screens.dropFirst())), "after \(begun) lines: \(kept.output)")
  }

  /// Returns the screens of a list that was never restarted.
  private func screens(after first: ArraySlice<String>, typing lines: [String]) async throws -> [String] {
    let shown = Recorder<String>()
    let app = try await TodoApp(show: { shown.record($0) })
    for line in first { _ = app.run(line) }
    shown.takeAll()
    for line in lines { _ = app.run(line) }
    return shown.values
  }
}
