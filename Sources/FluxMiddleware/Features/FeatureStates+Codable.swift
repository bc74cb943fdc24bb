extension FeatureStates: Codable {
  private enum Key: String, CodingKey {
    case states, unreadable
  }

  /// A name of a feature as a coding key.
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  /// Creates a value from encoded states, which are kept until their features are attached.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    saved = try container.decode([String: JSONValue].self, forKey: .states)
    unreadableStates = try container.decodeIfPresent([String: JSONValue].self, forKey: .unreadable) ?? [:]
    revision = .decoded
  }

  /// Encodes the states of `Codable` features, and the saved states whose features were not
  /// attached.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var states = container.nestedContainer(keyedBy: Name.self, forKey: .states)
    for (name, json) in saved { try states.encode(json, forKey: Name(stringValue: name)) }
    for part in parts {
      guard let value = part.cell.value as? any Encodable else { continue }
      try states.encode(value, forKey: Name(stringValue: part.name))
    }
    if !unreadableStates.isEmpty { try container.encode(unreadableStates, forKey: .unreadable) }
  }
}
