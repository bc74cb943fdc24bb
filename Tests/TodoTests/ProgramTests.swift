import Foundation
import TestSupport
import Testing

@Suite("The program todos")
struct ProgramTests {
  @Test(
    "a signal that ends the program saves the changes",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(number: Int32) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("todos-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let executable = try #require(builtProgram(named: "todos"))
    let program = Process()
    program.executableURL = executable
    program.arguments = ["--data", folder.path]
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
    let kept = try String(contentsOf: folder.appendingPathComponent("todos.json"), encoding: .utf8)
    #expect(kept.contains("buy milk"))
  }
}
