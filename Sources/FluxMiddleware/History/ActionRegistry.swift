public import FluxCore

/// A registry that maps names to the types of actions that can be encoded and decoded.
///
/// ```swift
/// var registry = ActionRegistry(SetMovie.self, RemoveMovie.self)
/// registry.register(RateMovie.self, as: "Rate", formerly: "SetRating")
/// ```
///
/// Files contain the names, so a name must stay the same when its type is renamed. If you
/// register one name for two types, or one type under two names, the program stops with a
/// message. Registering a type again under the same name has no effect.
public struct ActionRegistry: Sendable {
  typealias CodableAction = any (Action & Codable).Type

  private var types: [String: CodableAction] = [:]
  private var names: [ObjectIdentifier: String] = [:]

  // The other initializer would accept an empty pack, with which the compiler (Swift 6.3) crashes
  // in a release build with the address sanitizer.

  /// Creates a registry without types.
  public init() {}

  /// Creates a registry that registers each type under its own name, without the names of
  /// enclosing types.
  public init<each Registered: Action & Codable>(_ types: repeat (each Registered).Type) {
    repeat register(each types)
  }

  /// Registers an action type.
  ///
  /// - Parameters:
  ///   - type: The exact type of the actions.
  ///   - name: The name of the type in files, which is the type's own name by default.
  ///   - formerNames: Earlier names of the type in files. The registry uses these names only to
  ///     decode actions.
  public mutating func register<Registered: Action & Codable>(
    _ type: Registered.Type, as name: String? = nil, formerly formerNames: String...
  ) {
    let name = name ?? String(describing: type)
    let known = names.updateValue(name, forKey: ObjectIdentifier(type))
    if let known, known != name { Misuse.registeredTwice(type, as: name, and: known) }
    for name in [name] + formerNames {
      let other = types.updateValue(type, forKey: name)
      if let other, other != type { Misuse.registered(name, for: other, and: type) }
    }
  }

  /// Returns a copy of the registry in which an action type is also registered.
  ///
  /// The method works like ``register(_:as:formerly:)``.
  public func registering<Registered: Action & Codable>(
    _ type: Registered.Type, as name: String? = nil
  ) -> ActionRegistry {
    var registry = self
    registry.register(type, as: name)
    return registry
  }

  /// Returns the name under which an action type is registered, or `nil` if the type is not
  /// registered.
  public func name(of type: any Action.Type) -> String? {
    names[ObjectIdentifier(type)]
  }

  /// The names under which actions are written, in ascending order.
  ///
  /// The property takes O(n log n) time for n names.
  public var registeredNames: [String] { names.values.sorted() }

  /// The types under the names with which actions are written, in any order.
  var registeredTypes: [(name: String, type: CodableAction)] {
    types.compactMap { name, type in names[ObjectIdentifier(type)] == name ? (name, type) : nil }
  }

  /// Returns the type of the actions that are registered under a name.
  func type(named name: String) -> CodableAction? {
    types[name]
  }
}
