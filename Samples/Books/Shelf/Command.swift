/// A line that the user typed, understood.
package enum Command: Equatable {
  case show(ShelfState.Screen)
  case more
  case reload
  case refresh
  case invalidate
  case rename(Int, String)
  case remove(Int)
  case fail(Conditions.Topic, times: Int)
  case slow(milliseconds: Int)
  case stop
  case nothing
  case help
  case quit

  /// Understands a line, or says in one line why it cannot.
  package init(_ line: String) throws(Misunderstanding) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let verb = words.first else {
      self = .nothing
      return
    }
    let rest = words.dropFirst()
    switch verb.lowercased() {
    case "shelf": self = try .show(.shelf).taking(none: rest, after: verb)
    case "all": self = try .show(.all).taking(none: rest, after: verb)
    case "together": self = try .show(.together).taking(none: rest, after: verb)
    case "sections": self = .show(.sections(try Command.division(rest)))
    case "more": self = try .more.taking(none: rest, after: verb)
    case "reload": self = try .reload.taking(none: rest, after: verb)
    case "refresh": self = try .refresh.taking(none: rest, after: verb)
    case "invalidate": self = try .invalidate.taking(none: rest, after: verb)
    case "stop": self = try .stop.taking(none: rest, after: verb)
    case "rename":
      let number = try Command.number(rest.first, example: "rename 13 Emma")
      guard rest.count > 1 else {
        throw Misunderstanding("Give it which title? For example: rename \(number) Emma")
      }
      self = .rename(number, rest.dropFirst().joined(separator: " "))
    case "remove":
      guard rest.count < 2 else { throw Misunderstanding("One at a time, for example: remove 13") }
      self = .remove(try Command.number(rest.first, example: "remove 13"))
    case "fail": self = try Command.failing(rest)
    case "slow":
      guard rest.count == 1, let word = rest.first, let delay = Int(word), (0...60_000).contains(delay) else {
        throw Misunderstanding("Say how slow in milliseconds, from 0 to 60000, for example: slow 300")
      }
      self = .slow(milliseconds: delay)
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
    guard rest.isEmpty else { throw Misunderstanding("\(verb.quoted) takes nothing after it.") }
    return self
  }

  private static func division(_ rest: ArraySlice<String>) throws(Misunderstanding) -> ShelfState.Division {
    guard let word = rest.first else { return .author }
    guard rest.count == 1, let division = ShelfState.Division(rawValue: word.lowercased()) else {
      throw Misunderstanding("Sections by what? One of: sections author, sections century")
    }
    return division
  }

  private static func failing(_ rest: ArraySlice<String>) throws(Misunderstanding) -> Command {
    guard (1...2).contains(rest.count),
      let topic = rest.first.flatMap({ Conditions.Topic(rawValue: $0.lowercased()) })
    else {
      throw Misunderstanding("Fail what? One of: fail shelf, fail books, fail songs, fail changes")
    }
    guard let word = rest.dropFirst().first else { return .fail(topic, times: 1) }
    guard let times = Int(word), (0...1_000).contains(times) else {
      throw Misunderstanding("Say how often, from 0 to 1000, for example: fail \(topic) 3")
    }
    return .fail(topic, times: times)
  }

  private static func number(_ word: String?, example: String) throws(Misunderstanding) -> Int {
    guard let word else {
      throw Misunderstanding("Say which book by its number, for example: \(example)")
    }
    guard let number = Int(word) else {
      throw Misunderstanding("\(word.quoted) is not the number of a book. For example: \(example)")
    }
    return number
  }
}
