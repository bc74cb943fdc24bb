/// A line that the user typed: a verb, and what stands after it.
package struct TypedLine: Sendable {
  /// The first word, in small letters.
  package let verb: String
  /// The words after it, in the letters in which they were typed.
  package let words: ArraySlice<String>
  /// All that stands after the verb, with the space within as it was typed.
  package let rest: String
  private let typedVerb: String

  /// Takes a line apart; `nil` if there is nothing but space in it.
  package init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard let first = words.first, let last = words.last else { return nil }
    typedVerb = String(first)
    verb = typedVerb.lowercased()
    self.words = words.dropFirst().map(String.init)[...]
    rest = String(line[first.endIndex..<last.endIndex].drop(while: \.isWhitespace))
  }

  /// Why there is nothing to do for the verb: it is none.
  package var noCommand: Misunderstanding {
    Misunderstanding("There is no command \(typedVerb.quoted). Type help for those there are.")
  }

  /// A command that takes nothing after its verb.
  package func alone<Command>(_ command: Command) throws(Misunderstanding) -> Command {
    guard words.isEmpty else { throw Misunderstanding("\(typedVerb.quoted) takes nothing after it.") }
    return command
  }

  /// The words after the verb, from one of them on, joined by single spaces.
  ///
  /// - Parameters:
  ///   - first: The first that is wanted, counted from 0.
  ///   - question: What is asked when there are none.
  package func text(from first: Int = 0, or question: String) throws(Misunderstanding) -> String {
    guard words.count > first else { throw Misunderstanding(question) }
    return words.dropFirst(first).joined(separator: " ")
  }

  /// The number that stands next to the verb.
  ///
  /// - Parameters:
  ///   - thing: What has numbers: a film, say.
  ///   - lowest: The lowest that is a number of it.
  ///   - example: A command as it should be.
  package func firstNumber(
    of thing: String, from lowest: Int = .min, example: String
  ) throws(Misunderstanding) -> Int {
    try number(words.first, of: thing, from: lowest, example: example)
  }

  /// The number that is all that stands after the verb.
  package func onlyNumber(
    of thing: String, from lowest: Int = .min, example: String
  ) throws(Misunderstanding) -> Int {
    guard words.count < 2 else { throw Misunderstanding("One at a time, for example: \(example)") }
    return try number(words.first, of: thing, from: lowest, example: example)
  }

  /// The numbers after the verb, one at least; words that only stand between them are left out.
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
      throw Misunderstanding("Say which \(thing) by its number, for example: \(example)")
    }
    guard let number = Int(word), number >= lowest else {
      throw Misunderstanding("\(word.quoted) is not the number of a \(thing). For example: \(example)")
    }
    return number
  }
}
