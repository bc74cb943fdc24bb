/// A state of a model, in which one of several things can happen next.
protocol InterleavedModel: Hashable {
  associatedtype Choice
  associatedtype Event: Hashable

  /// What can happen next; nothing at an end.
  var choices: [Choice] { get }
  /// Has something happen, and throws if a rule is broken.
  mutating func take(_ choice: Choice, _ events: inout Set<Event>) throws
  /// Checks a state in which nothing more can happen.
  func checkEnd() throws
}

extension InterleavedModel {
  /// Has everything happen in every order, and returns what there was.
  func explore() throws -> (states: Int, ends: Int, events: Set<Event>) {
    var events: Set<Event> = []
    var (seen, rest) = (Set([self]), [self])
    var ends = 0
    while let model = rest.popLast() {
      let choices = model.choices
      if choices.isEmpty {
        try model.checkEnd()
        ends += 1
      }
      for choice in choices {
        var next = model
        try next.take(choice, &events)
        if seen.insert(next).inserted { rest.append(next) }
      }
    }
    return (seen.count, ends, events)
  }
}
