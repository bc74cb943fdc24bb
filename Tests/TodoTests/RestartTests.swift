import Flux
import FluxLog
import TestSupport
import Testing
import TodoList

@Suite("A restart of the to-do list")
struct RestartTests {
  private static let lines = [
    "add a", "add b", "done 1", "undo", "add c", "edit 2 bb", "edit 2 bbb", "undo", "redo", "remove 1",
    "undo", "undo", "move 2 to 1", "undo",
  ]

  /// Runs lines with one log, and with a restart after some of the lines.
  ///
  /// - Returns: The screens after all lines: the list, the history, and the lists after each undo
  ///   and each redo.
  private func screens(restartingAfter positions: Set<Int>) async throws -> [String] {
    let log = MemoryLog()
    let shown = Recorder<String>()
    func start() async throws -> TodoApp { try await TodoApp(log: log, show: { shown.record($0) }) }
    var app = try await start()
    for (position, line) in Self.lines.enumerated() {
      _ = app.run(line)
      guard positions.contains(position) else { continue }
      #expect(await app.saved())
      app = try await start()
    }
    shown.takeAll()
    let undos = Array(repeating: "undo", count: Self.lines.count)
    let redos = Array(repeating: "redo", count: Self.lines.count)
    for line in ["list", "history"] + undos + redos { _ = app.run(line) }
    return shown.values
  }

  @Test("after a restart, the list, the history, undo, and redo are the same as before")
  func everyRestart() async throws {
    let expected = try await screens(restartingAfter: [])
    #expect(expected.first == "  1 [ ] a\n  2 [ ] b\n  3 [ ] c")
    for position in Self.lines.indices {
      #expect(try await screens(restartingAfter: [position]) == expected, "after \(position)")
    }
    #expect(try await screens(restartingAfter: Set(Self.lines.indices)) == expected)
  }

  @Test("a restart does not separate the edits of one to-do, which one undo reverts")
  func grouping() async throws {
    let log = MemoryLog()
    let first = try await TodoApp(log: log, show: { _ in })
    for line in ["add a", "edit 1 aa"] { _ = first.run(line) }
    #expect(await first.saved())
    let shown = Recorder<String>()
    let second = try await TodoApp(log: log, show: { shown.record($0) })
    for line in ["edit 1 aaa", "undo"] { _ = second.run(line) }
    #expect(shown.values == ["  1 [ ] aa", "  1 [ ] aaa", "  1 [ ] a"])
  }

  @Test("if a change cannot be saved, the reason is shown once, and a warning after each command")
  func unwritable() async throws {
    let log = MemoryLog { operation in if case .append = operation { .refuses } else { nil } }
    let shown = Recorder<String>()
    let app = try await TodoApp(log: log, show: { shown.record($0) })
    for line in ["add a", "add b"] {
      _ = app.run(line)
      await app.finished()
    }
    let warning = "! The newest changes are not saved. Start the program again."
    #expect(shown.values.filter { $0 == warning }.count == 2)
    #expect(shown.values.filter { $0.hasPrefix("! ") && $0 != warning }.count == 1)
    #expect(shown.values.suffix(2) == ["  1 [ ] a\n  2 [ ] b", warning])
    #expect(await !app.saved())
  }

  @Test("a new snapshot that cannot be saved is reported, and changes are saved nevertheless")
  func noSnapshot() async throws {
    let log = MemoryLog { operation in
      if case .save(let position) = operation, position > .start { .refuses } else { nil }
    }
    let shown = Recorder<String>()
    let line = String(repeating: "x", count: 1_000)
    let app = try await TodoApp(
      log: log,
      lines: { _ in
        AsyncThrowingStream { continuation in
          for _ in 0..<400 { continuation.yield(line) }
          continuation.finish()
        }
      }, show: { shown.record($0) })
    // The changes are larger than the size after which a snapshot is saved.
    for _ in 0..<3 {
      _ = app.run("import any")
      await app.finished()
    }
    #expect(await app.saved())
    let second = try await TodoApp(log: log, show: { _ in })
    #expect(second.store.state.list.todos.count == 1_200)
    #expect(!shown.values.contains { $0.contains("not saved") })
    #expect(shown.values.contains { $0.hasPrefix("! ") })
  }
}
