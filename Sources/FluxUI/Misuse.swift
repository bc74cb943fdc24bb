import FluxCore

/// Every way of using connections that stops the program, with its message.
enum Misuse {
  /// A view that connects says nowhere how the state becomes its props.
  static func mapsNothing<Mapping>(_ mapping: Mapping.Type) -> Never {
    fatalError(
      "Flux: \(mapping) has no mapping. Implement map(state:), or map(state:binder:) if it binds actions.")
  }

  /// A view asks for a state that is of none of the stores provided to it.
  static func notProvided<State>(_ state: State.Type, in stores: ProvidedStores) -> Never {
    fatalError(
      """
      Flux: a view asks for a state of type \(state), and the stores provided to it are of \(stores). Provide a store \
      of that state, or of one that conforms to it, to a view around it.
      """)
  }

  /// A view asks for the state of a store that had gone before it first did.
  static func hasGone<State>(_ state: State.Type) -> Never {
    fatalError(
      "Flux: a view asks for a state of type \(state) whose store has gone. Keep the store while views show it."
    )
  }

  /// An action is dispatched where no store has been provided.
  static func dispatchedToNobody(_ action: any Action) -> Never {
    fatalError(
      "Flux: \(action) was dispatched by a view to which no store is provided. Provide one to a view around it."
    )
  }
}
