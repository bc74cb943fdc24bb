/// What is wrong with the coded form of an ``OrderedState``.
public struct OrderedStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of things that are wrong.
  public struct Code: Hashable, Sendable {
    private enum Value: Sendable {
      case duplicateID, danglingID, unlistedID, mismatchedID, uncodableID
    }

    private let value: Value

    /// An id comes more than once.
    public static let duplicateID = Code(value: .duplicateID)
    /// An id is listed, but there is no element for it.
    public static let danglingID = Code(value: .danglingID)
    /// There is an element for an id that is not listed.
    public static let unlistedID = Code(value: .unlistedID)
    /// An element stands under another id than its own.
    public static let mismatchedID = Code(value: .mismatchedID)
    /// Ids are listed, but their type cannot be decoded.
    public static let uncodableID = Code(value: .uncodableID)
  }

  /// What kind of thing is wrong.
  public let code: Code
  /// What is wrong, and where, in words.
  public let description: String

  static func make(_ code: Code, _ words: String, at path: [any CodingKey]) -> OrderedStateError {
    let place = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return OrderedStateError(
      code: code, description: "The list\(place.isEmpty ? "" : " at \(place)") \(words).")
  }
}
