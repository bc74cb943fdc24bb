/// The name of a list.
///
/// Actions contain the name to identify the list, and logs show it. Two lists of one store must
/// have different names.
public struct ListID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Creates an id from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates an id from a string literal.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
