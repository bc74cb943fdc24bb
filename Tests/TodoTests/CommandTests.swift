import SampleTerminal
import Testing
import TodoList

@Suite("Commands that a typed line contains")
struct CommandTests {
  @Test(
    "each command is understood",
    arguments: [
      ("add buy milk", Command.add("buy milk")), ("edit 2 buy  oat milk", .edit(2, "buy oat milk")),
      ("done 3", .done(3)), ("remove 1", .remove([1])), ("remove 3 1 2", .remove([3, 1, 2])),
      ("clear", .clear), ("import My  todos.txt ", .importFile("My  todos.txt")),
      ("import \"my todos.txt\"", .importFile("my todos.txt")), ("import 'a", .importFile("'a")),
      ("move 3 to 1", .move(3, to: 1)), ("move 3 1", .move(3, to: 1)),
      ("show open", .show(.open)), ("show DONE", .show(.done)), ("show all", .show(.all)), ("list", .list),
      ("undo", .undo), ("redo", .redo), ("history", .history), ("help", .help), ("quit", .quit),
      ("exit", .quit), ("", .nothing), (" \t ", .nothing), ("ADD Milk", .add("Milk")),
    ])
  func eachCommand(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test(
    "a missing, superfluous, or invalid number is reported in one line, with an example",
    arguments: [
      ("add", "Type the text of the to-do, for example: add buy milk"),
      ("edit", "Type the number of a to-do, for example: edit 2 buy oat milk"),
      ("edit milk", "\"milk\" is not the number of a to-do. For example: edit 2 buy oat milk"),
      ("edit 2", "Type the text of the to-do, for example: edit 2 buy oat milk"),
      ("done", "Type the number of a to-do, for example: done 2"),
      ("done 0", "\"0\" is not the number of a to-do. For example: done 2"),
      (
        "done \(Int.min)",
        "\"-9223372036854775808\" is not the number of a to-do. For example: done 2"
      ),
      (
        "move 1 to \(Int.min)",
        "\"-9223372036854775808\" is not the number of a to-do. For example: move 3 to 1"
      ),
      ("done 1 2", "Type only one number, for example: done 2"),
      ("remove x", "\"x\" is not the number of a to-do. For example: remove 2 or remove 1 3"),
      ("import", "Type the name of a file, for example: import todos.txt"),
      ("move 1", "Type two numbers, for example: move 3 to 1"),
      ("show", "Type show all, show open, or show done."),
      ("show me", "Type show all, show open, or show done."),
      ("undo 2", "\"undo\" takes no arguments."),
      ("dance", "There is no command \"dance\". Type help to see all commands."),
      ("a\u{1B}[2Jb", "There is no command \"a\u{FFFD}[2Jb\". Type help to see all commands."),
    ])
  func misunderstood(line: String, message: String) {
    #expect(throws: Misunderstanding.self) { try Command(line) }
    do throws(Misunderstanding) {
      _ = try Command(line)
    } catch {
      #expect(error.text == message)
    }
  }
}
