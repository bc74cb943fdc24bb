/// Says which parts of states and actions are secret, and are not shown where the rest is.
///
/// ```swift
/// .fields("password", "token")
/// Redaction { path in path.hasPrefix("session.") }
/// ```
///
/// A part is named by the property that holds it, by the label of an enumeration's or a tuple's value, or by the
/// text that is its key in a dictionary. What is part of something secret is secret too. A value that holds
/// something secret anywhere is told part by part, and not by a description of its own, which might give it away.
///
/// Not found is what does not show as a part: a secret within a text, and what a type keeps from `Mirror`.
public struct Redaction: Sendable {
  /// What stands where something secret would.
  public static let mark = "•••"

  /// Nothing is secret.
  public static let none = Redaction(names: [], covers: nil)

  private let names: Set<String>
  private let covers: (@Sendable (_ path: String) -> Bool)?

  private init(names: Set<String>, covers: (@Sendable (_ path: String) -> Bool)?) {
    self.names = names
    self.covers = covers
  }

  /// What bears one of these names is secret, wherever it stands.
  public static func fields(_ names: String...) -> Redaction {
    Redaction(names: Set(names), covers: nil)
  }

  /// What a closure says is secret.
  ///
  /// - Parameter covers: It is asked with paths from a state or an action inwards, as ``StateDifference`` writes
  ///   them: `session.user.name`, `accounts[7].pin`, `accounts["Ada"].pin`. Of a key or
  ///   an id that has parts, they stand behind `accounts[]`. In JSON, that of an exported history too, a key is a name
  ///   like any other, and an element has its position: `accounts.Ada.pin`.
  public init(_ covers: @escaping @Sendable (_ path: String) -> Bool) {
    self.init(names: [], covers: covers)
  }

  /// What is secret by this or by another.
  public func and(_ other: Redaction) -> Redaction {
    let names = names.union(other.names)
    guard let covers, let others = other.covers else {
      return Redaction(names: names, covers: covers ?? other.covers)
    }
    return Redaction(names: names) { path in covers(path) || others(path) }
  }

  /// Whether nothing is secret.
  public var isNone: Bool { names.isEmpty && covers == nil }

  /// Whether a part is secret.
  ///
  /// - Parameters:
  ///   - name: The name of the property or the key; `nil` for what has none, such as an element of an array.
  ///   - path: The path to the part.
  func hides(_ name: String?, at path: String) -> Bool {
    for place in Set([path, Self.asDeclared(path)]) where covers?(place) ?? false { return true }
    guard let name else { return false }
    return names.contains(name) || names.contains(Self.asDeclared(name))
  }

  /// A path or a name by which a property is declared, where the label of what stores it is another: that of a wrapped
  /// or an observed property begins with `_`, that of a lazy one with more.
  private static func asDeclared(_ path: String) -> String {
    guard path.contains("_") else { return path }
    return path.split(separator: ".", omittingEmptySubsequences: false).map { label in
      if label.hasPrefix("$__lazy_storage_$_") { return label.dropFirst("$__lazy_storage_$_".count) }
      return label.hasPrefix("_") ? label.dropFirst() : label
    }.joined(separator: ".")
  }

  /// A value's description, without what is secret.
  ///
  /// Without anything secret in it, it is what the value says of itself. Of a part, ``ValuePart/text`` tells.
  ///
  /// - Parameter value: A whole state or action.
  public func text(of value: Any) -> String { text(of: value, at: "") }

  /// The same of a part, of whose name it is known that it is not secret.
  func text(of value: Any, at path: String) -> String {
    if isNone { return String(describing: value) }
    if !path.isEmpty, hides(nil, at: path) { return Self.mark }
    var walk = RedactedText(redaction: self)
    return walk.describe(ValuePart(value, label: "", at: path, redacting: self)).text
  }
}
