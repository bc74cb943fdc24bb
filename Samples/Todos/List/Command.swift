/// A line that the user typed, understood.
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

  /// Understands a line, or says in one line why it cannot.
  package init(_ line: String) throws(Misunderstanding) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let verb = words.first else {
      self = .nothing
      return
    }
    let rest = words.dropFirst()
    switch verb.lowercased() {
    case "add": self = .add(try Command.text(rest, example: "add buy milk"))
    case "edit":
      let number = try Command.number(rest.first, example: "edit 2 buy oat milk")
      self = .edit(number, try Command.text(rest.dropFirst(), example: "edit 2 buy oat milk"))
    case "done": self = .done(try Command.only(Command.numbers(rest, example: "done 2"), example: "done 2"))
    case "remove": self = .remove(try Command.numbers(rest, example: "remove 2 or remove 1 3"))
    case "import":
      guard !rest.isEmpty else { throw Misunderstanding("Import which file? For example: import todos.txt") }
      self = .importFile(rest.joined(separator: " "))
    case "move":
      let numbers = try Command.numbers(rest.filter { $0 != "to" }, example: "move 3 to 1")
      guard numbers.count == 2 else {
        throw Misunderstanding("Say what to move where, for example: move 3 to 1")
      }
      self = .move(numbers[0], to: numbers[1])
    case "show":
      guard rest.count == 1, let filter = rest.first.flatMap({ TodosState.Filter(rawValue: $0.lowercased()) })
      else { throw Misunderstanding("Show which? One of: show all, show open, show done") }
      self = .show(filter)
    case "clear": self = try .clear.taking(none: rest, after: verb)
    case "list": self = try .list.taking(none: rest, after: verb)
    case "undo": self = try .undo.taking(none: rest, after: verb)
    case "redo": self = try .redo.taking(none: rest, after: verb)
    case "history": self = try .history.taking(none: rest, after: verb)
    case "help": self = .help
    case "quit", "exit": self = .quit
    default: throw Misunderstanding("There is no command \(verb.quoted). Type help for those there are.")
    }
  }

  /// What cannot be understood, in one line.
  package struct Misunderstanding: Error, Equatable {
    package let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  private func taking(none rest: ArraySlice<String>, after verb: String) throws(Misunderstanding) -> Command {
    guard rest.isEmpty else { throw Misunderstanding("\"\(verb)\" takes nothing after it.") }
    return self
  }

  private static func text(_ rest: ArraySlice<String>, example: String) throws(Misunderstanding) -> String {
    guard !rest.isEmpty else { throw Misunderstanding("Say what is to be done, for example: \(example)") }
    return rest.joined(separator: " ")
  }

  private static func number(_ word: String?, example: String) throws(Misunderstanding) -> Int {
    guard let word else { throw Misunderstanding("Say which by its number, for example: \(example)") }
    guard let number = Int(word), number > 0 else {
      throw Misunderstanding("\(word.quoted) is not the number of a to-do. For example: \(example)")
    }
    return number
  }

  private static func numbers(
    _ words: some Collection<String>, example: String
  ) throws(Misunderstanding) -> [Int] {
    guard !words.isEmpty else { throw Misunderstanding("Say which by its number, for example: \(example)") }
    var numbers: [Int] = []
    for word in words { numbers.append(try number(word, example: example)) }
    return numbers
  }

  private static func only(_ numbers: [Int], example: String) throws(Misunderstanding) -> Int {
    guard numbers.count == 1 else { throw Misunderstanding("One at a time, for example: \(example)") }
    return numbers[0]
  }
}

extension String {
  /// The text without the characters that a terminal obeys.
  var tame: String {
    let scalars = unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The text in quotation marks, cut to what is easily read.
  var quoted: String {
    tame.count <= 60 ? "\"\(tame)\"" : "\"\(tame.prefix(60))…\""
  }
}
