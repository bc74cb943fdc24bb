import FluxCore

/// Functions that stop the program with a message if views or connections are used incorrectly.
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
      Flux: a view requires a state of type \(state), but the provided stores have states of types \
      \(stores). Provide a store with a state of this type, or of a type that conforms to it, to an \
      ancestor of the view.
      """)
  }

  /// Stops the program because a store was released before a view first requested the state of
  /// the store.
  static func hasGone<State>(_ state: State.Type) -> Never {
    fatalError(
      """
      Flux: a view requires a state of type \(state), but its store was released. Retain the store while \
      views show its state.
      """
    )
  }

  /// Stops the program because a view shows a query, and none of the provided stores has a cache
  /// of queries.
  static func noQueryCache(in stores: ProvidedStores) -> Never {
    fatalError(
      """
      Flux: a view shows a query, but none of the provided stores, whose states have the types \(stores), \
      has a cache of queries. Add the plug-in of a QuerySlice to a store, and provide the store to an \
      ancestor of the view.
      """)
  }

  /// Stops the program because a view dispatches an action, but no store is provided to the
  /// view.
  static func dispatchedToNobody(_ action: any Action) -> Never {
    fatalError(
      """
      Flux: \(action) was dispatched by a view to which no store is provided. Provide a store to an \
      ancestor of the view.
      """
    )
  }
}
