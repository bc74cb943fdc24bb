package import FluxCore
package import Foundation

/// A registered type of action, which is known by the time at which actions are encoded.
package struct ActionEncoder: Sendable {
  /// The name under which the type is registered.
  package let name: String
  /// A function that encodes an action of exactly this type as one line of JSON.
  package let encode: @Sendable (any Action) throws -> Data

  fileprivate init<Registered: Action & Codable>(
    _ type: Registered.Type, named name: String, _ encoder: LineEncoder
  ) {
    self.name = name
    encode = { action in try encoder.encode(action.knownToBe(Registered.self)) }
  }
}

extension ActionRegistry {
  /// Returns the encoders of all registered types, for code that encodes every action of a store.
  package func encoders(_ encoder: LineEncoder) -> TypeTable<ActionEncoder> {
    registeredTypes.reduce(into: TypeTable()) { table, registered in
      func insert<Registered: Action & Codable>(_ type: Registered.Type) {
        let entry = ActionEncoder(type, named: registered.name, encoder)
        table.insert(entry, for: type) { first, _ in first }
      }
      insert(registered.type)
    }
  }
}
