package import SampleTerminal

/// A parsed line of user input.
package enum Command: Equatable {
  case list
  case next
  case back
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

  /// Parses a line, or throws an error that describes the problem in one line.
  package init(_ line: String) throws(Misunderstanding) {
    guard let line = TypedLine(line) else {
      self = .nothing
      return
    }
    switch line.verb {
    case "list": self = try line.alone(.list)
    case "next": self = try line.alone(.next)
    case "back": self = try line.alone(.back)
    case "open": self = .open(try line.onlyNumber(of: "film", example: "open 7"))
    case "wish": self = .wish(try line.onlyNumber(of: "film", example: "wish 7"))
    case "seen": self = .seen(try line.onlyNumber(of: "film", example: "seen 7"))
    case "search": self = .search(try line.text(or: "Type the text to search for, for example: search dream"))
    case "find": self = try line.alone(.find)
    case "lists": self = try line.alone(.lists)
    case "undo": self = try line.alone(.undo)
    case "redo": self = try line.alone(.redo)
    case "help": self = .help
    case "quit", "exit": self = .quit
    default: throw line.noCommand
    }
  }
}

extension BrowserState {
  /// Returns the number if a film with the number exists.
  func existing(_ number: Int) throws(Misunderstanding) -> Int {
    guard !films.isEmpty else {
      throw Misunderstanding("No films are loaded yet. Type list to load some.")
    }
    guard film(number) != nil || (1...max(1, total)).contains(number) else {
      throw Misunderstanding("There is no film \(number). Type list to see them.")
    }
    return number
  }

  /// Returns the number if the film with the number is loaded.
  func loaded(_ number: Int) throws(Misunderstanding) -> Int {
    guard film(try existing(number)) != nil else {
      throw Misunderstanding("Film \(number) is not loaded yet. Type open \(number) to load it.")
    }
    return number
  }
}
