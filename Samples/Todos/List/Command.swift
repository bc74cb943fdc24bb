package import SampleTerminal

/// A parsed line of user input.
package enum Command: Equatable {
  case add(String)
  case edit(Int, String)
  case done(Int)
  case remove([Int])
  case importFile(String)
  case clear
  case move(Int, to: Int)
  case show(TodosState.Filter)
  case list
  case undo
  case redo
  case history
  case help
  case quit
  case nothing

  /// Parses a line, or throws an error that describes the problem in one line.
  package init(_ line: String) throws(Misunderstanding) {
    guard let line = TypedLine(line) else {
      self = .nothing
      return
    }
    switch line.verb {
    case "add": self = .add(try line.text(or: "Type the text of the to-do, for example: add buy milk"))
    case "edit":
      let example = "edit 2 buy oat milk"
      let number = try line.firstNumber(of: "to-do", from: 1, example: example)
      self = .edit(number, try line.text(from: 1, or: "Type the text of the to-do, for example: \(example)"))
    case "done": self = .done(try line.onlyNumber(of: "to-do", from: 1, example: "done 2"))
    case "remove":
      self = .remove(try line.numbers(of: "to-do", from: 1, example: "remove 2 or remove 1 3"))
    case "import":
      guard !line.rest.isEmpty else {
        throw Misunderstanding("Type the name of a file, for example: import todos.txt")
      }
      self = .importFile(line.rest.unquoted)
    case "move":
      let numbers = try line.numbers(of: "to-do", from: 1, leavingOut: "to", example: "move 3 to 1")
      guard numbers.count == 2 else {
        throw Misunderstanding("Type two numbers, for example: move 3 to 1")
      }
      self = .move(numbers[0], to: numbers[1])
    case "show":
      guard line.words.count == 1, let filter = TodosState.Filter(rawValue: line.rest.lowercased()) else {
        throw Misunderstanding("Type show all, show open, or show done.")
      }
      self = .show(filter)
    case "clear": self = try line.alone(.clear)
    case "list": self = try line.alone(.list)
    case "undo": self = try line.alone(.undo)
    case "redo": self = try line.alone(.redo)
    case "history": self = try line.alone(.history)
    case "help": self = .help
    case "quit", "exit": self = .quit
    default: throw line.noCommand
    }
  }
}

extension String {
  /// The text without surrounding quotation marks, which a shell would need.
  fileprivate var unquoted: String {
    guard count > 2, let mark = first, mark == "\"" || mark == "'", last == mark else { return self }
    return String(dropFirst().dropLast())
  }
}
