import FluxMiddleware
package import Foundation
package import TestSupport

/// Makes bad input from good input: changes the structure of JSON, then the bytes, or only one of
/// the two.
///
/// All random values come from one seed, so that an input can be made again.
package struct InputMaker: Sendable {
  package var random: SeededGenerator
  /// Valid input, or input that once revealed a fault.
  private let examples: [Data]
  /// The JSON of the examples that are JSON.
  private let trees: [JSONValue]
  /// The strings that are inserted between the bytes: the tokens of the format.
  private let words: [Data]

  /// - Parameter words: Names and values with a meaning in the format.
  package init(examples: [Data], words: [String], seed: UInt64) {
    self.examples = examples
    // An example may intentionally not be JSON: its bytes are changed, and it has no structure to
    // change.
    trees = examples.compactMap { example in
      do { return try JSONDecoder().decode(JSONValue.self, from: example) } catch { return nil }
    }
    self.words = (words + Self.scalars).map { Data($0.utf8) }
    random = SeededGenerator(seed: seed)
  }

  /// The same maker with another seed.
  func seeded(_ seed: UInt64) -> InputMaker {
    var maker = self
    maker.random = SeededGenerator(seed: seed)
    return maker
  }

  package mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  package mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  /// The next input.
  package mutating func next() -> Data {
    guard !trees.isEmpty, !oneIn(4) else {
      var input = pick(examples)
      scratch(&input)
      return input
    }
    var tree = pick(trees)
    for _ in 0...Int.random(in: 0...2, using: &random) { change(&tree) }
    var text = ""
    write(tree, to: &text)
    var input = Data(text.utf8)
    if oneIn(4) { scratch(&input) }
    return input
  }

  // MARK: - Bytes

  /// Changes some bytes.
  package mutating func scratch(_ input: inout Data) {
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let start = Int.random(in: 0...input.count, using: &random)
      let end = min(input.count, start + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: input.removeSubrange(start..<end)
      case 1: input = input.prefix(start)
      case 2: input.insert(contentsOf: pick(words), at: start)
      case 3: input.replaceSubrange(start..<end, with: pick(words))
      case 4: input.insert(contentsOf: Data(input[start..<end]), at: start)
      case 5: input.insert(UInt8.random(in: 0...255, using: &random), at: start)
      default: if start < end { input[start] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      }
    }
  }

  // MARK: - Structure

  private static let scalars = [
    "0", "-0", "1", "-1", "2", "9007199254740992", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616", "1.0", "1.5", "0.1", "1e2", "1e-7", "1e127", "1e-140", "1e308", "1e309",
    "123456789012345678901234567890.123456789", "true", "false", "null", "\"\"", "\"1\"", "\"NaN\"",
    "\"Infinity\"", "\"\\u0000\"", "\"\\ud83d\"", "\"\\ud83d\\ude00\"", "\"e\u{301}\"", "\"\u{E9}\"",
    "[]", "{}", "[[]]", "{\"\":null}",
  ]
  private static let values: [JSONValue] = [
    .null, true, false, 0, 1, -1, 2, 9_007_199_254_740_992, .integer(.max), .integer(.min), .double(1e300),
    .double(-0.5), .decimal(Decimal(sign: .plus, exponent: -9, significand: 123_456_789)), "", "1", "x",
    "NaN", "\u{0}", "e\u{301}", "\u{E9}", "😀", [], [:], [nil], ["": nil],
  ]

  private mutating func change(_ value: inout JSONValue) {
    switch value {
    case .array(var elements) where !elements.isEmpty && !oneIn(4):
      let place = Int.random(in: 0..<elements.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: place)
      case 1: elements.insert(elements[place], at: Int.random(in: 0...elements.count, using: &random))
      case 2: elements.swapAt(place, Int.random(in: 0..<elements.count, using: &random))
      default: change(&elements[place])
      }
      value = .array(elements)
    case .object(var members) where !members.isEmpty && !oneIn(4):
      let name = pick(members.keys.sorted())
      let other = pick(members.keys.sorted())
      switch Int.random(in: 0..<8, using: &random) {
      case 0: members[name] = nil
      case 1: members[other] = members[name]
      case 2: members[pick(["", "\u{0}", name + " ", name.uppercased(), "1"])] = members[name]
      default: change(&members[name, default: .null])
      }
      value = .object(members)
    default: replace(&value)
    }
  }

  private mutating func replace(_ value: inout JSONValue) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: value = [value]
    case 1: value = [pick(["id", "ids", "state", "x"]): value]
    case 2: value = part(of: pick(trees))
    case 3 where oneIn(20):
      // Deeply nested, and more deeply than the parser accepts. At depths in between, the error
      // takes milliseconds.
      for _ in 0..<pick([20, 60, 600, 2000]) { value = [value] }
    case 4:
      if case .integer(let number) = value { value = .integer(number &+ pick([1, -1, 2, .max])) }
    default: value = pick(Self.values)
    }
  }

  /// A random value within another.
  private mutating func part(of value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements) where !elements.isEmpty && !oneIn(4): part(of: pick(elements))
    case .object(let members) where !members.isEmpty && !oneIn(4):
      part(of: members[pick(members.keys.sorted())] ?? .null)
    default: value
    }
  }

  // MARK: - Writing

  /// Writes JSON in an order that does not depend on the run, and sometimes writes a name twice.
  private mutating func write(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .decimal(let value): text += "\(value)"
    case .double(let value): text += "\(value)"
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (place, element) in elements.enumerated() {
        if place > 0 { text += "," }
        write(element, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (place, name) in members.keys.sorted().enumerated() {
        for isAgain in oneIn(500) ? [false, true] : [false] {
          if place > 0 || isAgain { text += "," }
          Self.write(name, to: &text)
          text += ":"
          write(members[name] ?? .null, to: &text)
        }
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case ..<" ": text += "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
