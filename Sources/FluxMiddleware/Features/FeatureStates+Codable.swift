import Foundation

extension FeatureStates: Codable {
  private enum Key: String, CodingKey {
    case states, unreadable
  }

  /// Creates a value from encoded states, which are kept until their features are attached.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    saved = try container.decode([String: JSONValue].self, forKey: .states)
    unreadableStates = try container.decodeIfPresent([String: [JSONValue]].self, forKey: .unreadable) ?? [:]
    revision = .ofDecodedStates
  }

  /// Encodes the states of `Codable` features, and the saved states whose features were not
  /// attached.
  public func encode(to encoder: any Encoder) throws {
    // The states are encoded as JSON first, because they are decoded from JSON when their features
    // are attached. The encoder of the app can have another format or other strategies.
    let own = JSONEncoder.ofHistory(marksProperties: encoder.userInfo[.marksProperties] != nil)
    var states = saved
    for part in parts {
      guard let value = part.cell.value as? any Encodable else { continue }
      states[part.name] = try JSONDecoder().decode(JSONValue.self, from: own.encode(value))
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(states, forKey: .states)
    if !unreadableStates.isEmpty { try container.encode(unreadableStates, forKey: .unreadable) }
  }
}
