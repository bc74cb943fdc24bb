import Flux
import Foundation
import SampleTerminal
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

  /// An app that reads the stream, whatever file name it receives.
  private func app() async throws -> TodoApp {
    let app = try await TodoApp(
      lines: { [stream] _ in stream }, show: { [shown] in shown.record($0) })
    shown.forget()
    return app
  }

  private func finish(_ count: Int) {
    for number in 0..<count { lines.yield("to-do \(number)") }
    lines.finish()
  }

  @Test("each line is one to-do, done or not, in the list formats of plain texts")
  func forms() async throws {
    let app = try await app()
    for line in ["buy milk", "- call Ada", "* [ ] water  the plants", "", "  - [x] sleep", "- [X] eat"] {
      lines.yield(line)
    }
    lines.finish()
    #expect(app.run("import any"))
    await app.finished()
    let todos = app.store.state.list.todos
    #expect(todos.map(\.text) == ["buy milk", "call Ada", "water the plants", "sleep", "eat"])
    #expect(todos.map(\.isDone) == [false, false, false, true, true])
    #expect(shown.values.last == "Imported 5. Type list to see them, or undo to remove them.")
  }

  @Test("a space ends a word even if a joining character follows, and the text is kept")
  func joining() async throws {
    let app = try await app()
    lines.yield("a \u{301}b \u{200D}c")
    lines.yield("- [x]\u{301} d")
    lines.finish()
    _ = app.run("import any")
    await app.finished()
    let texts = app.store.state.list.todos.map { Array($0.text.unicodeScalars) }
    #expect(texts == ["a \u{301}b \u{200D}c", "\u{301} d"].map { Array($0.unicodeScalars) })
    #expect(app.store.state.list.todos.map(\.isDone) == [false, true])
  }

  @Test(
    "progress is shown every hundred to-dos, and one undo removes all imported to-dos")
  func progress() async throws {
    let app = try await app()
    _ = app.run("add first")
    shown.forget()
    finish(250)
    _ = app.run("import any")
    await app.finished()
    #expect(
      shown.values == [
        "  100 so far", "  200 so far", "Imported 250. Type list to see them, or undo to remove them.",
      ])
    #expect(app.store.state.list.todos.count == 251)
    _ = app.run("undo")
    #expect(app.store.state.list.todos.map(\.text) == ["first"])
    _ = app.run("redo")
    #expect(app.store.state.list.todos.count == 251)
  }

  @Test("a larger import adds more to-dos at a time, and one undo removes all of them")
  func many() async throws {
    let app = try await app()
    _ = app.run("add first")
    shown.forget()
    finish(12_345)
    _ = app.run("import any")
    await app.finished()
    #expect(
      shown.values.dropLast()
        == ([Int](1...10).map { $0 * 100 } + (2...10).map { $0 * 1_000 }).map { "  \($0) so far" })
    #expect(app.store.state.list.todos.count == 12_346)
    _ = app.run("undo")
    #expect(app.store.state.list.todos.map(\.text) == ["first"])
  }

  @Test("stopping ends the import, keeps the added to-dos, and says how to undo them")
  func stopping() async throws {
    let app = try await app()
    #expect(!app.stop())
    for number in 0..<150 { lines.yield("to-do \(number)") }
    _ = app.run("import any")
    await shown.count(atLeast: 1)
    #expect(app.stop())
    await app.finished()
    lines.finish()
    #expect(app.store.state.list.todos.count == 100)
    #expect(
      shown.values == ["  100 so far", "The import was stopped. Type undo to remove the imported to-dos."])
    _ = app.run("undo")
    #expect(app.store.state.list.todos.isEmpty)
  }

  @Test("during an import no second one can start")
  func second() async throws {
    let app = try await app()
    _ = app.run("import any")
    _ = app.run("import other")
    #expect(shown.values == ["! An import is already running."])
    finish(1)
    await app.finished()
    #expect(app.store.state.list.todos.count == 1)
  }

  @Test("an interrupted text keeps the to-dos that were read")
  func breakingOff() async throws {
    let app = try await app()
    for number in 0..<130 { lines.yield("to-do \(number)") }
    lines.finish(throwing: Unreadable())
    _ = app.run("import any")
    await app.finished()
    #expect(app.store.state.list.todos.count == 130)
    #expect(
      shown.values.last
        == "! \"any\" cannot be read any further. "
        + "Imported 130. Type list to see them, or undo to remove them."
    )
  }

  /// Imports a file; returns the last shown line.
  private func shown(importing path: String, into app: TodoApp) async -> String? {
    _ = app.run("import \(path)")
    await app.finished()
    return shown.values.last
  }

  @Test("files are read line by line, however long the lines are")
  func files() async throws {
    let app = try await TodoApp(show: { [shown] in shown.record($0) })
    let long = String(repeating: "x", count: 200_000)
    try await withFile("one\n\n\(long)\r\nlast") { path in
      _ = await shown(importing: path, into: app)
      #expect(app.store.state.list.todos.map(\.text) == ["one", long, "last"])
    }
    try await withFile("\u{FEFF}- [x] marked\n\u{FEFF}\n") { path in
      _ = await shown(importing: path, into: app)
      #expect(app.store.state.list.todos.dropFirst(3).map(\.text) == ["marked", "\u{FEFF}"])
    }
  }

  @Test("a failed import is reported in one line, with the reason")
  func unreadable() async throws {
    let files = try await TodoApp(show: { [shown] in shown.record($0) })
    let folder = FileManager.default.temporaryDirectory.path
    #expect(
      await shown(importing: "/nowhere/at all", into: files)
        == "! \"/nowhere/at all\" cannot be read: there is no such file.")
    #expect(
      await shown(importing: folder, into: files) == "! \(folder.quoted) cannot be read: it is a folder.")
    #expect(
      await shown(importing: "/dev/zero", into: files)
        == "! \"/dev/zero\" cannot be read: it is not a text file.")
    try await withFile(" \n\t") { path in
      #expect(await shown(importing: path, into: files) == "! There is nothing to do in \(path.quoted).")
    }
    #expect(files.store.state.list.todos.isEmpty)
  }

  @Test("a file that is not text is imported up to the first invalid line", arguments: [[0xE9], [0], [0xC3]])
  func noText(bytes: [UInt8]) async throws {
    let app = try await TodoApp(show: { [shown] in shown.record($0) })
    try await withFile(Data(bytes) + Data("\nx".utf8)) { path in
      #expect(
        await shown(importing: path, into: app)
          == "! \(path.quoted) cannot be read: line 1 is not text in UTF-8.")
    }
    try await withFile(Data("one\ntwo\ncaf".utf8) + Data(bytes)) { path in
      #expect(
        await shown(importing: path, into: app)
          == "! \(path.quoted) cannot be read any further: line 3 is not text in UTF-8. "
          + "Imported 2. Type list to see them, or undo to remove them.")
    }
    #expect(app.store.state.list.todos.map(\.text) == ["one", "two"])
  }

  @Test("a tilde at the start of a path stands for the user's home directory")
  func tilde() throws {
    #expect(throws: UnreadableFile(reason: "it is a folder")) { try linesOfFile(at: "~") }
  }
}

/// Runs a body with the path of a file, which is removed when the body has ended.
private func withFile(_ contents: Data, _ body: (String) async throws -> Void) async throws {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
  defer { try? FileManager.default.removeItem(at: file) }
  try contents.write(to: file)
  try await body(file.path)
}

private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
  try await withFile(Data(text.utf8), body)
}
