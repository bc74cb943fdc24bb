/// The name of a list, by which its actions find it, in logs too.
///
/// Two lists of one store need two names.
public struct ListID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Creates an id from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates an id from a name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
