/// An error in the encoded form of an ``OrderedState``.
public struct OrderedStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case duplicateID, danglingID, unlistedID, mismatchedID, uncodableID
    }

    private let value: Value

    /// The error code for an id that is repeated.
    public static let duplicateID = Code(value: .duplicateID)
    /// The error code for a listed id that has no element.
    public static let danglingID = Code(value: .danglingID)
    /// The error code for an element whose id is not listed.
    public static let unlistedID = Code(value: .unlistedID)
    /// The error code for an element that is stored under another element's id.
    public static let mismatchedID = Code(value: .mismatchedID)
    /// The error code for listed ids whose type is not `Decodable`.
    public static let uncodableID = Code(value: .uncodableID)
  }

  /// The kind of error.
  public let code: Code
  /// A description of the error and its location.
  public let description: String

  static func make(_ code: Code, _ words: String, at path: [any CodingKey]) -> OrderedStateError {
    let place = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return OrderedStateError(
      code: code, description: "The list\(place.isEmpty ? "" : " at \(place)") \(words).")
  }
}
