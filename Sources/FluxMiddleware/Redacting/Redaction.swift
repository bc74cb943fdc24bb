import FluxCore

/// A rule that determines which parts of states and actions are secret and must not be shown.
///
/// ```swift
/// .fields("password", "token")
/// Redaction { path in path.hasPrefix("session.") }
/// ```
///
/// The name of a part is the name of its property, the label of an associated value or of a
/// tuple element, or the text of its key in a dictionary. Everything inside a secret part is
/// also secret. A value that contains a secret is described part by part, because its own
/// description might reveal the secret.
///
/// A key or an id is secret if its text equals the text of a secret in its value, at any depth.
/// A key or an id is also secret if its text contains the text of a secret that has at least
/// four UTF-8 bytes, as in `sessions[•••].hits: 0 → 1`. A rule about paths is also applied to
/// the complete path, which contains the key or the id.
///
/// A redaction does not find a secret inside a string that is neither a key nor an id. A
/// redaction also does not find a secret in a key if only the value for another key contains the
/// secret. A redaction cannot find a secret in a part that is not available through `Mirror`.
public struct Redaction: Sendable {
  /// The text that replaces a secret.
  public static let mark = "•••"

  /// A redaction that treats no part as secret.
  public static let none = Redaction(names: [], covers: nil)

  private let names: Set<String>
  private let covers: (@Sendable (_ path: String) -> Bool)?

  private init(names: Set<String>, covers: (@Sendable (_ path: String) -> Bool)?) {
    self.names = names
    self.covers = covers
  }

  /// Returns a redaction for the parts that have one of the given names, at any depth.
  public static func fields(_ names: String...) -> Redaction {
    Redaction(names: Set(names), covers: nil)
  }

  /// Creates a redaction for the parts that a closure selects by their paths.
  ///
  /// - Parameter covers: A closure that returns whether the part at a path is secret. The path
  ///   begins at a state or an action, and has the form that ``StateDifference`` uses:
  ///   `session.user.name`, `accounts[7].pin`, `accounts["Ada"].pin`. The paths to the parts of
  ///   a key or an id begin with `accounts[]`. In JSON, and therefore in an exported history,
  ///   the path contains a key in the form of a property, as in `accounts.Ada.pin`, and
  ///   identifies an element by its position.
  public init(_ covers: @escaping @Sendable (_ path: String) -> Bool) {
    self.init(names: [], covers: covers)
  }

  /// Returns a redaction for the parts that are secret according to this redaction or another
  /// redaction.
  public func and(_ other: Redaction) -> Redaction {
    let names = names.union(other.names)
    guard let covers, let others = other.covers else {
      return Redaction(names: names, covers: covers ?? other.covers)
    }
    return Redaction(names: names) { path in covers(path) || others(path) }
  }

  /// A Boolean value that indicates whether the redaction treats no part as secret.
  public var isNone: Bool { names.isEmpty && covers == nil }

  /// Returns whether a part is secret.
  ///
  /// - Parameters:
  ///   - name: The name of the property or the key, or `nil` for a part without a name, such as
  ///     an element of an array.
  ///   - path: The path to the part. A rule about paths is applied to both the `shown` path and
  ///     the `full` path.
  func hides(_ name: String?, at path: PartPath) -> Bool {
    if let covers {
      for place in Set([path.shown, path.full]).flatMap({ Set([$0, Self.asDeclared($0)]) })
      where covers(place) {
        return true
      }
    }
    guard let name, !names.isEmpty else { return false }
    return names.contains(name) || names.contains(Self.asDeclared(name))
  }

  /// Returns a path or a name in which the labels of properties are replaced by their declared
  /// names.
  ///
  /// The label of a stored property can differ from its declared name. The label of a wrapped
  /// or observed property begins with `_`, and the label of a lazy property begins with a
  /// longer prefix.
  private static func asDeclared(_ path: String) -> String {
    guard path.contains("_") else { return path }
    return path.split(separator: ".", omittingEmptySubsequences: false).map { label in
      if label.hasPrefix("$__lazy_storage_$_") { return label.dropFirst("$__lazy_storage_$_".count) }
      return label.hasPrefix("_") ? label.dropFirst() : label
    }.joined(separator: ".")
  }

  /// Returns the description of a value without secrets.
  ///
  /// If the value contains no secret, the result is the value's own description. For a part of
  /// a value, use ``ValuePart/text``.
  ///
  /// - Parameter value: A whole state or action.
  public func text(of value: Any) -> String { text(of: value, at: .whole) }

  /// Returns the description, without secrets, of a part whose name is not secret.
  func text(of value: Any, at path: PartPath) -> String {
    if isNone { return ValueDescription.text(of: value) }
    if !path.isWhole, hides(nil, at: path) { return Self.mark }
    var walk = RedactedText(redaction: self)
    return walk.describe(ValuePart(value, label: "", at: path, redacting: self)).text
  }
}
