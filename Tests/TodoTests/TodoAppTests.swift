import Flux
import TestSupport
import Testing
import TodoList

@Suite("The to-do list")
struct TodoAppTests {
  private let shown = Recorder<String>()

  private func app() async throws -> TodoApp {
    let app = try await TodoApp(show: { [shown] in shown.record($0) })
    shown.takeAll()
    return app
  }

  /// Types lines; returns the output after the last one.
  private func type(_ lines: String..., in app: TodoApp) -> [String] {
    for line in lines {
      shown.takeAll()
      _ = app.run(line)
    }
    return shown.values.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  @Test("added to-dos are shown in order, with numbers, once for each command")
  func adding() async throws {
    let app = try await app()
    #expect(type("add buy milk", in: app) == ["  1 [ ] buy milk"])
    #expect(type("add call Ada", in: app) == ["  1 [ ] buy milk", "  2 [ ] call Ada"])
    #expect(shown.count == 1)
  }

  @Test("to-dos are edited, marked, moved, and removed by their numbers")
  func editing() async throws {
    let app = try await app()
    _ = type("add a", "add b", "add c", "add d", in: app)
    #expect(type("edit 2 B", in: app)[1] == "  2 [ ] B")
    #expect(type("done 3", in: app)[2] == "  3 [x] c")
    #expect(type("done 3", in: app)[2] == "  3 [ ] c")
    #expect(
      type("move 4 to 1", in: app) == ["  1 [ ] d", "  2 [ ] a", "  3 [ ] B", "  4 [ ] c"])
    #expect(type("move 1 to 99", in: app).last == "  4 [ ] d")
    #expect(type("remove 1 4", in: app) == ["  1 [ ] B", "  2 [ ] c"])
  }

  @Test("a filter shows some of the to-dos, with their numbers in the whole list")
  func filtering() async throws {
    let app = try await app()
    _ = type("add a", "add b", "add c", "done 2", in: app)
    #expect(type("show open", in: app) == ["  1 [ ] a", "  3 [ ] c"])
    #expect(type("show done", in: app) == ["  2 [x] b"])
    #expect(type("remove 1", in: app) == ["! Number 1 is hidden. Type show all to see it."])
    #expect(type("clear", in: app) == ["No to-do is done."])
    #expect(type("show all", in: app) == ["  1 [ ] a", "  2 [ ] c"])
  }

  @Test("clearing without done to-dos is not a change to undo")
  func clearingNothing() async throws {
    let app = try await app()
    _ = type("add a", in: app)
    #expect(type("clear", in: app) == ["! No to-do is done."])
    #expect(type("undo", in: app) == ["There are no to-dos. To add one, type add and its text."])
  }

  @Test("undo and redo apply to changes of the list, and not to views of it")
  func undo() async throws {
    let app = try await app()
    _ = type("add a", "show open", "add b", "help", "done 1", "list", in: app)
    #expect(type("undo", in: app) == ["  1 [ ] a", "  2 [ ] b"])
    #expect(type("undo", in: app) == ["  1 [ ] a"])
    #expect(type("undo", in: app) == ["There are no to-dos. To add one, type add and its text."])
    #expect(type("undo", in: app) == ["! There is nothing to undo."])
    #expect(type("redo", "redo", in: app) == ["  1 [ ] a", "  2 [ ] b"])
    #expect(type("redo", in: app) == ["  2 [ ] b"])
    #expect(type("redo", in: app) == ["! There is nothing to redo."])
  }

  @Test("several edits of one to-do are one step")
  func grouping() async throws {
    let app = try await app()
    _ = type("add a", "add b", "edit 1 aa", "edit 1 aaa", "edit 2 bb", in: app)
    #expect(type("undo", in: app) == ["  1 [ ] aaa", "  2 [ ] b"])
    #expect(type("undo", in: app) == ["  1 [ ] a", "  2 [ ] b"])
  }

  @Test("the history shows the changes, and which of them were undone")
  func history() async throws {
    let app = try await app()
    #expect(type("history", in: app) == ["Nothing has been changed yet."])
    _ = type("add a", "done 1", "undo", in: app)
    #expect(
      type("history", in: app) == ["> AddTodo(text: \"a\")", "  ToggleTodo(id: 1) (undone)"])
  }

  @Test("an unknown number, and an empty list, are reported in one line and change nothing")
  func trouble() async throws {
    let app = try await app()
    #expect(type("done 1", in: app) == ["! There are no to-dos."])
    _ = type("add a", in: app)
    for line in ["done 2", "done 99", "edit 2 x", "remove 1 2", "move 2 to 1"] {
      #expect(type(line, in: app).first?.hasPrefix("! There is no to-do ") == true, "\(line)")
    }
    #expect(app.store.state.list.todos.map(\.text) == ["a"])
  }

  @Test("quit ends the program, and every other command continues it")
  func quit() async throws {
    let app = try await app()
    #expect(!app.run("quit"))
    #expect(app.run(""))
    #expect(app.run("dance"))
  }
}
