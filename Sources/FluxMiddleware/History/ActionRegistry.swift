public import FluxCore

/// The types of actions that can be written down and read back, by name.
///
/// ```swift
/// var registry = ActionRegistry(SetMovie.self, RemoveMovie.self)
/// registry.register(RateMovie.self, as: "Rate", formerly: "SetRating")
/// ```
///
/// Names are what files hold, so they have to stay when a type is renamed. One name for two types, or two
/// names for one type, stops the program with a message: that is a mistake in the program, found the first
/// time it runs. To register a type again under its name does nothing.
public struct ActionRegistry: Sendable {
  typealias CodableAction = any (Action & Codable).Type

  private var types: [String: CodableAction] = [:]
  private var names: [ObjectIdentifier: String] = [:]

  /// Creates a registry of types by their own names, without those of what they are nested in.
  public init<each Registered: Action & Codable>(_ types: repeat (each Registered).Type) {
    repeat register(each types)
  }

  /// Registers a type of actions.
  ///
  /// - Parameters:
  ///   - type: The exact type of the actions.
  ///   - name: What it is called in files: its own name, unless said otherwise.
  ///   - formerNames: What it was called in files before; they are read, not written.
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

  /// A registry that has a type of actions too: ``register(_:as:formerly:)``.
  public func registering<Registered: Action & Codable>(
    _ type: Registered.Type, as name: String? = nil
  ) -> ActionRegistry {
    var registry = self
    registry.register(type, as: name)
    return registry
  }

  /// The name under which actions of a type are registered.
  public func name(of type: any Action.Type) -> String? {
    names[ObjectIdentifier(type)]
  }

  /// The names under which actions are written, in ascending order.
  ///
  /// O(n log n).
  public var registeredNames: [String] { names.values.sorted() }

  /// The type of the actions that are registered under a name.
  func type(named name: String) -> CodableAction? {
    types[name]
  }
}
