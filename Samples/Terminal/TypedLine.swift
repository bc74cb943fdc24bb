/// A line that the user typed: a verb and the text after it.
package struct TypedLine: Sendable {
  /// The first word, in lowercase.
  package let verb: String
  /// The words after the verb, with their original case.
  package let words: ArraySlice<String>
  /// The text after the verb, with its original white space.
  package let rest: String
  private let typedVerb: String

  /// Splits a line into words; returns `nil` if the line contains only white space.
  package init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let last = words.last else { return nil }
    typedVerb = String(first)
    verb = typedVerb.lowercased()
    self.words = words.dropFirst().map(String.init)[...]
    rest = String(line[first.endIndex..<last.endIndex].drop(while: \.isWhitespace))
  }

  /// The error for an unknown verb.
  package var noCommand: Misunderstanding {
    Misunderstanding("There is no command \(typedVerb.quoted). Type help to see all commands.")
  }

  /// Returns a command that accepts nothing after its verb.
  package func alone<Command>(_ command: Command) throws(Misunderstanding) -> Command {
    guard words.isEmpty else { throw Misunderstanding("\(typedVerb.quoted) takes no arguments.") }
    return command
  }

  /// Returns the words after the verb, beginning with the given word, joined by single spaces.
  ///
  /// - Parameters:
  ///   - first: The index of the first word, counted from 0.
  ///   - question: The error message if the line contains no such words.
  package func text(from first: Int = 0, or question: String) throws(Misunderstanding) -> String {
    guard words.count > first else { throw Misunderstanding(question) }
    return words.dropFirst(first).joined(separator: " ")
  }

  /// Returns the number directly after the verb.
  ///
  /// - Parameters:
  ///   - thing: The name of a numbered object, such as a film.
  ///   - lowest: The lowest valid number.
  ///   - example: An example of a valid command.
  package func firstNumber(
    of thing: String, from lowest: Int = .min, example: String
  ) throws(Misunderstanding) -> Int {
    try number(words.first, of: thing, from: lowest, example: example)
  }

  /// Returns the number after the verb, or throws an error if other words follow the number.
  package func onlyNumber(
    of thing: String, from lowest: Int = .min, example: String
  ) throws(Misunderstanding) -> Int {
    guard words.count < 2 else { throw Misunderstanding("Type only one number, for example: \(example)") }
    return try number(words.first, of: thing, from: lowest, example: example)
  }

  /// Returns the numbers after the verb, at least one, without the words between them.
  package func numbers(
    of thing: String, from lowest: Int = .min, leavingOut between: String? = nil, example: String
  ) throws(Misunderstanding) -> [Int] {
    let words = words.filter { $0 != between }
    var numbers = [try number(words.first, of: thing, from: lowest, example: example)]
    for word in words.dropFirst() {
      numbers.append(try number(word, of: thing, from: lowest, example: example))
    }
    return numbers
  }

  private func number(
    _ word: String?, of thing: String, from lowest: Int, example: String
  ) throws(Misunderstanding) -> Int {
    guard let word else {
      throw Misunderstanding("Type the number of a \(thing), for example: \(example)")
    }
    guard let number = Int(word), number >= lowest else {
      throw Misunderstanding("\(word.quoted) is not the number of a \(thing). For example: \(example)")
    }
    return number
  }
}
