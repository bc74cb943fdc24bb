import FluxCollections
import Foundation

private struct Row: Codable, Equatable, Identifiable {
  let id: Int
  var text: String?
}

private struct Named: Codable, Equatable, Identifiable {
  let id: String
  var value: Double?
}

extension FuzzTarget {
  /// Decoding an `OrderedState`, with numbers and strings as ids.
  ///
  /// The ids of a decoded list are unique, its coded form decodes to an equal list, and an error
  /// does not change an older list.
  static let orderedState = FuzzTarget(
    "ordered state",
    examples: [
      #"[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":3}]"#,
      #"{"ids":[2,1],"entities":{"1":{"id":1,"text":"a"},"2":{"id":2}}}"#,
      #"[{"id":"x","value":1.5},{"id":"y"},{"id":""}]"#,
      #"{"ids":["a","b"],"entities":{"a":{"id":"a","value":0.1},"b":{"id":"b"}}}"#,
      #"{"ids":["é"],"entities":{"é":{"id":"é"}}}"#,
      #"{"ids":[1],"entities":{"+1":{"id":1},"01":{"id":1}}}"#,
    ],
    words: ["ids", "entities", "id", "text", "value", "+1", "01"]
  ) { input, maker in
    maker.oneIn(2) ? try decode(input, as: Row.self) : try decode(input, as: Named.self)
  }

  private static func decode<Element: Codable & Equatable & Identifiable & Sendable>(
    _ input: Data, as type: Element.Type
  ) throws -> Verdict where Element.ID: Sendable {
    let decoded: OrderedState<Element>
    do {
      decoded = try JSONDecoder().decode(OrderedState<Element>.self, from: input)
    } catch let error as OrderedStateError {
      // The name of an error code.
      let names: [(OrderedStateError.Code, String)] = [
        (.duplicateID, "duplicateID"), (.danglingID, "danglingID"), (.unlistedID, "unlistedID"),
        (.mismatchedID, "mismatchedID"),
      ]
      guard let name = names.first(where: { $0.0 == error.code }) else { throw error }
      return .refused(name.1)
    } catch is DecodingError {
      return .refused("DecodingError")
    }
    let values = decoded.values
    try promise(Set(values.map(\.id)).count == values.count, "an id comes twice")
    for (place, value) in values.enumerated() {
      try promise(decoded[id: value.id] == value, "\(value.id) is not found")
      try promise(decoded[place] == value, "\(place) is not in its place")
    }
    do {
      let plain = try JSONDecoder().decode([Element].self, from: input)
      try promise(plain == values, "it is not what the array has")
    } catch is DecodingError {
      // The input had the form with ids and entities.
    }
    let encoded = try JSONEncoder().encode(decoded)
    let again = try JSONDecoder().decode(OrderedState<Element>.self, from: encoded)
    try promise(again == decoded, "it does not round-trip")
    try promise(again.values == (try JSONDecoder().decode([Element].self, from: encoded)), "it is no array")
    return .accepted
  }
}
