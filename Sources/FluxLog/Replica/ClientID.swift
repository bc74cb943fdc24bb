import Foundation

/// The identity of a client, which no other client of the same server has.
public struct ClientID: Hashable, Sendable {
  /// The text of the identity.
  public let rawValue: String

  /// Creates an identity from a text.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// Returns a random identity.
  public static func random() -> ClientID { ClientID(UUID().uuidString) }
}

extension ClientID: Codable {
  /// Decodes the text of an identity.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes the text of the identity.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ClientID: CustomStringConvertible {
  /// The text of the identity.
  public var description: String { rawValue }
}
