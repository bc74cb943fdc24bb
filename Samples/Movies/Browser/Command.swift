/// A line that the user typed, understood.
package enum Command: Equatable {
  case list
  case next
  case open(Int)
  case search(String)
  case find
  case wish(Int)
  case seen(Int)
  case lists
  case undo
  case redo
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
    case "list": self = try .list.taking(none: rest, after: verb)
    case "next": self = try .next.taking(none: rest, after: verb)
    case "open": self = .open(try Command.number(rest, after: verb))
    case "wish": self = .wish(try Command.number(rest, after: verb))
    case "seen": self = .seen(try Command.number(rest, after: verb))
    case "search":
      guard !rest.isEmpty else { throw Misunderstanding("Search for what? For example: search dream") }
      self = .search(rest.joined(separator: " "))
    case "find": self = try .find.taking(none: rest, after: verb)
    case "lists": self = try .lists.taking(none: rest, after: verb)
    case "undo": self = try .undo.taking(none: rest, after: verb)
    case "redo": self = try .redo.taking(none: rest, after: verb)
    case "help": self = .help
    case "quit", "exit": self = .quit
    default: throw Misunderstanding("There is no command \(verb.quoted). Type help for those there are.")
    }
  }

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

  private static func number(_ rest: ArraySlice<String>, after verb: String) throws(Misunderstanding) -> Int {
    guard rest.count == 1, let word = rest.first else {
      throw Misunderstanding("Say which film by its number, for example: \(verb) 7")
    }
    guard let number = Int(word) else {
      throw Misunderstanding("\(word.quoted) is not the number of a film. For example: \(verb) 7")
    }
    return number
  }
}

extension BrowserState.Library {
  /// The number of a film that there is.
  func existing(_ number: Int) throws(Command.Misunderstanding) -> Int {
    guard !films.isEmpty else {
      throw Command.Misunderstanding("No films are loaded yet. Type list to load some.")
    }
    guard films[number] != nil || (1...max(1, total)).contains(number) else {
      throw Command.Misunderstanding("There is no film \(number). Type list for those there are.")
    }
    return number
  }

  /// The number of a film that is loaded.
  func loaded(_ number: Int) throws(Command.Misunderstanding) -> Int {
    guard films[try existing(number)] != nil else {
      throw Command.Misunderstanding("Film \(number) is not loaded yet. Type open \(number) to load it.")
    }
    return number
  }
}

extension String {
  /// The text in quotation marks, cut to what is easily read, without the characters that a terminal obeys.
  var quoted: String {
    let tame = unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    let text = String(String.UnicodeScalarView(tame))
    return text.count <= 60 ? "\"\(text)\"" : "\"\(text.prefix(60))…\""
  }
}
