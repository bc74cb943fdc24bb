import Flux
import Foundation
import TestSupport
import Testing
import TodoList

@Suite("Importing to-dos")
struct ImportTests {
  private struct Unreadable: Error {}

  private let shown = EventLog<String>()
  private let stream: AsyncThrowingStream<String, any Error>
  private let lines: AsyncThrowingStream<String, any Error>.Continuation

  init() {
    (stream, lines) = AsyncThrowingStream.makeStream()
  }

  /// An app that reads the stream, whatever file it is asked for.
  private func app() -> TodoApp {
    let app = TodoApp(
      storage: InMemoryStorage(), lines: { [stream] _ in stream }, show: { [shown] in shown.record($0) })
    shown.forget()
    return app
  }

  private func finish(_ count: Int) {
    for number in 0..<count { lines.yield("to-do \(number)") }
    lines.finish()
  }

  @Test("each line is a to-do, done or not, in the forms that lists have in texts")
  func forms() async {
    let app = app()
    for line in ["buy milk", "- call Ada", "* [ ] water  the plants", "", "  - [x] sleep", "- [X] eat"] {
      lines.yield(line)
    }
    lines.finish()
    #expect(app.run("import any"))
    await app.finished()
    let todos = app.store.state.list.todos
    #expect(todos.map(\.text) == ["buy milk", "call Ada", "water the plants", "sleep", "eat"])
    #expect(todos.map(\.isDone) == [false, false, false, true, true])
    #expect(shown.values.last == "Imported 5. Type list to see them, undo to take them back.")
  }

  @Test("how far it is is shown every hundred to-dos, and undo takes back all of it")
  func progress() async {
    let app = app()
    _ = app.run("add first")
    shown.forget()
    finish(250)
    _ = app.run("import any")
    await app.finished()
    #expect(shown.values.prefix(3) == ["  100 so far", "  200 so far", "  250 so far"])
    #expect(app.store.state.list.todos.count == 251)
    _ = app.run("undo")
    #expect(app.store.state.list.todos.map(\.text) == ["first"])
    _ = app.run("redo")
    #expect(app.store.state.list.todos.count == 251)
  }

  @Test("stopping ends it, keeps what was added, and says how to take it back")
  func stopping() async {
    let app = app()
    #expect(!app.stop())
    for number in 0..<150 { lines.yield("to-do \(number)") }
    _ = app.run("import any")
    await shown.count(atLeast: 1)
    #expect(app.stop())
    await app.finished()
    lines.finish()
    #expect(app.store.state.list.todos.count == 100)
    #expect(shown.values == ["  100 so far", "Stopped. Type undo to take back what was imported."])
    _ = app.run("undo")
    #expect(app.store.state.list.todos.isEmpty)
  }

  @Test("while one runs there is no second")
  func second() async {
    let app = app()
    _ = app.run("import any")
    _ = app.run("import other")
    #expect(shown.values == ["! One import is running already."])
    finish(1)
    await app.finished()
    #expect(app.store.state.list.todos.count == 1)
  }

  @Test("a text that breaks off leaves what was read")
  func breakingOff() async {
    let app = app()
    for number in 0..<100 { lines.yield("to-do \(number)") }
    lines.finish(throwing: Unreadable())
    _ = app.run("import any")
    await app.finished()
    #expect(app.store.state.list.todos.count == 100)
    #expect(shown.values.last == "! \"any\" cannot be read any further.")
  }

  @Test("files are read line by line; one that is missing, or empty, is said in one line")
  func files() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("todos-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let app = TodoApp(storage: InMemoryStorage(), show: { [shown] in shown.record($0) })
    _ = app.run("import \(path)")
    await app.finished()
    #expect(shown.values.last?.hasSuffix("cannot be read.") == true)
    try Data().write(to: URL(fileURLWithPath: path))
    _ = app.run("import \(path)")
    await app.finished()
    #expect(shown.values.last?.hasPrefix("! There is nothing to do in") == true)
    let long = String(repeating: "x", count: 70_000)
    try Data("one\n\n\(long)\nlast".utf8).write(to: URL(fileURLWithPath: path))
    _ = app.run("import \(path)")
    await app.finished()
    #expect(app.store.state.list.todos.map(\.text) == ["one", long, "last"])
  }
}
