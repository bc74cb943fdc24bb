import FluxCore

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
/// A key or an id that reads the same as something secret in the value under it, at any depth, or contains it, is secret
/// too: `sessions[•••].hits: 0 → 1`. A rule about paths applies to the path that contains the key or the id.
///
/// A redaction does not find a secret within a text that is not a key or an id, a key that only a value elsewhere
/// contains, or what a type does not show to `Mirror`.
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

  /// Returns whether a part is secret.
  ///
  /// - Parameters:
  ///   - name: The name of the property or the key; `nil` for a part without a name, such as an element of an array.
  ///   - path: The path to the part. A rule about paths applies to either form of it.
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
  public func text(of value: Any) -> String { text(of: value, at: .whole) }

  /// Returns the description of a part whose name is not secret, without what is secret in it.
  func text(of value: Any, at path: PartPath) -> String {
    if isNone { return ValueDescription.text(of: value) }
    if !path.isWhole, hides(nil, at: path) { return Self.mark }
    var walk = RedactedText(redaction: self)
    return walk.describe(ValuePart(value, label: "", at: path, redacting: self)).text
  }
}
