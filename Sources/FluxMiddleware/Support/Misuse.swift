import FluxCore

/// Functions that stop the program with a message if a plug-in or a middleware of this module is
/// misused.
enum Misuse {
  /// Stops the program because a thunk reached the end of a chain that has no thunk middleware.
  static func notRun<State>(_ thunk: Thunk<State>) -> Never {
    fatalError(
      """
      Flux: \(thunk) was dispatched, but the store has no thunk middleware for \(State.self). Add \
      thunkMiddleware() to the middleware of the store.
      """)
  }

  /// Stops the program because a thunk requires dependencies that its middleware does not have.
  static func lacksDependencies(_ needed: Any.Type, has: (any Sendable)?, thunk: String) -> Never {
    let there = has.map { "a value of type \(type(of: $0))" } ?? "no value"
    fatalError(
      """
      Flux: Thunk(\(thunk)) requires a value of type \(needed), but the store's thunk middleware \
      was created with \(there). Pass a value of the required type to thunkMiddleware(with:), or register \
      it in the services of the store.
      """)
  }

  /// Stops the program because a type of action was registered under two names.
  static func registeredTwice(_ type: any Action.Type, as name: String, and known: String) -> Never {
    fatalError(
      """
      Flux: the action type \(type) was registered as "\(name)" and as "\(known)". Register each type \
      only once.
      """)
  }

  /// Stops the program because a name was registered for two types of action.
  static func registered(_ name: String, for other: any Action.Type, and type: any Action.Type) -> Never {
    fatalError(
      """
      Flux: "\(name)" was registered for the action types \(other) and \(type). Register one of them under \
      another name with register(_:as:).
      """)
  }

  /// Stops the program because a `Persistence` object was used in two stores.
  static func persistenceOfSecondStore(_ name: String) -> Never {
    fatalError(
      """
      Flux: the persistence of \(name).json was added to a second store. Two stores cannot share a file. \
      Create a persistence with a name of its own for each store.
      """)
  }

  /// Stops the program because a `Features` object was used in two stores.
  static func featuresOfSecondStore() -> Never {
    fatalError(
      """
      Flux: a Features object was added to a second store. Create a Features object for each store.
      """)
  }

  /// Stops the program because a plug-in of an attached feature configures the whole store.
  static func featureWithPluginOfStore(_ name: String) -> Never {
    fatalError(
      """
      Flux: the feature \(name) was attached to a running store, and has a plug-in that configures the \
      whole store or is the first link of its chain. Pass this plug-in to the initializer of the store.
      """)
  }

  /// Stops the program because a plug-in of a feature attached the feature while it was created.
  static func featureAttachedByItsPlugin(_ name: String) -> Never {
    fatalError(
      """
      Flux: the feature \(name) was attached while its plug-ins were being created. Attach the feature \
      outside the closures that create and start its plug-ins.
      """)
  }

  /// Stops the program because a feature was attached before the store was created.
  static func featuresWithoutStore(_ name: String) -> Never {
    fatalError(
      """
      Flux: the feature \(name) was attached, but the Features object has no store. Add its plug-in to a \
      store first.
      """)
  }

  /// Stops the program because two features with the same name have different types of state.
  static func featureWithTwoTypes(_ name: String) -> Never {
    fatalError(
      """
      Flux: two features with the name \(name) have different types of state. Give each feature a name of \
      its own.
      """)
  }

  /// Stops the program because a history was used in two stores.
  static func historyOfSecondStore(_ name: String?) -> Never {
    fatalError(
      """
      Flux: the history\(name.map { " \($0)" } ?? "") was added to a second store. A history records one \
      store. Create a history for each store.
      """)
  }
}
