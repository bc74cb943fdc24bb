package import SampleTerminal

/// A parsed line of user input.
package enum Command: Equatable {
  case show(ShelfState.Screen)
  case back
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

  /// Parses a line, or throws an error that describes the problem in one line.
  package init(_ line: String) throws(Misunderstanding) {
    guard let line = TypedLine(line) else {
      self = .nothing
      return
    }
    switch line.verb {
    case "shelf": self = try line.alone(.show(.shelf))
    case "all": self = try line.alone(.show(.all))
    case "together": self = try line.alone(.show(.together))
    case "sections": self = .show(.sections(try line.division()))
    case "back": self = try line.alone(.back)
    case "more": self = try line.alone(.more)
    case "reload": self = try line.alone(.reload)
    case "refresh": self = try line.alone(.refresh)
    case "invalidate": self = try line.alone(.invalidate)
    case "stop": self = try line.alone(.stop)
    case "rename":
      let number = try line.firstNumber(of: "book", example: "rename 13 Emma")
      let title = try line.text(
        from: 1, or: "Give it which title? For example: rename \(number) Emma")
      self = .rename(number, title)
    case "remove": self = .remove(try line.onlyNumber(of: "book", example: "remove 13"))
    case "fail":
      let (topic, times) = try line.failures()
      self = .fail(topic, times: times)
    case "slow": self = .slow(milliseconds: try line.delay())
    case "help": self = .help
    case "quit", "exit": self = .quit
    default: throw line.noCommand
    }
  }
}

extension TypedLine {
  fileprivate func division() throws(Misunderstanding) -> ShelfState.Division {
    guard let word = words.first else { return .author }
    guard words.count == 1, let division = ShelfState.Division(rawValue: word.lowercased()) else {
      throw Misunderstanding("Type sections author or sections century.")
    }
    return division
  }

  fileprivate func failures() throws(Misunderstanding) -> (topic: Conditions.Topic, times: Int) {
    guard (1...2).contains(words.count),
      let topic = words.first.flatMap({ Conditions.Topic(rawValue: $0.lowercased()) })
    else {
      throw Misunderstanding("Type fail shelf, fail books, fail songs, or fail changes.")
    }
    guard let word = words.dropFirst().first else { return (topic, 1) }
    guard let times = Int(word), (0...1_000).contains(times) else {
      throw Misunderstanding("Type a number from 0 to 1000, for example: fail \(topic) 3")
    }
    return (topic, times)
  }

  fileprivate func delay() throws(Misunderstanding) -> Int {
    guard words.count == 1, let delay = Int(rest), (0...60_000).contains(delay) else {
      throw Misunderstanding("Type a number of milliseconds from 0 to 60000, for example: slow 300")
    }
    return delay
  }
}
