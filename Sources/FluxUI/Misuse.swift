import FluxCore

/// Errors in the use of views and connections that stop the program with a message.
enum Misuse {
  /// Stops the program because a connected view implements neither mapping function.
  static func mapsNothing<Mapping>(_ mapping: Mapping.Type) -> Never {
    fatalError(
      "Flux: \(mapping) has no mapping. Implement map(state:), or map(state:binder:) if it binds actions.")
  }

  /// Stops the program because none of the provided stores has the state that a view requests.
  static func notProvided<State>(_ state: State.Type, in stores: ProvidedStores) -> Never {
    fatalError(
      """
      Flux: a view asks for a state of type \(state), and the stores provided to it are of \(stores). Provide a store \
      of that state, or of one that conforms to it, to a view around it.
      """)
  }

  /// Stops the program because a view requests a state whose store was released before the
  /// first request.
  static func hasGone<State>(_ state: State.Type) -> Never {
    fatalError(
      "Flux: a view asks for a state of type \(state) whose store has gone. Keep the store while views show it."
    )
  }

  /// Stops the program because a view dispatches an action, but no store is provided to the
  /// view.
  static func dispatchedToNobody(_ action: any Action) -> Never {
    fatalError(
      "Flux: \(action) was dispatched by a view to which no store is provided. Provide one to a view around it."
    )
  }
}
