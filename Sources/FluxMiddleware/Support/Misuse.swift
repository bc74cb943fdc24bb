import FluxCore

/// The messages with which the program stops if a plug-in or a middleware of this module is
/// misused.
enum Misuse {
  /// Stops the program because a thunk reached the end of a chain that has no middleware to run
  /// it.
  static func notRun<State>(_ thunk: Thunk<State>) -> Never {
    fatalError(
      """
      Flux: \(thunk) was dispatched and not run: the store has no thunk middleware for \(State.self). Add \
      thunkMiddleware() to the middleware it is made with.
      """)
  }

  /// Stops the program because a thunk requires dependencies that its middleware does not have.
  static func lacksDependencies(_ needed: Any.Type, has: (any Sendable)?, thunk: String) -> Never {
    let there = has.map { "was made with a value of type \(type(of: $0))" } ?? "was made without any"
    fatalError(
      """
      Flux: Thunk(\(thunk)) needs a value of type \(needed), and the store's thunk middleware \(there). Make it with \
      thunkMiddleware(with:) and what the thunk needs.
      """)
  }

  /// Stops the program because a type of action was registered under two names.
  static func registeredTwice(_ type: any Action.Type, as name: String, and known: String) -> Never {
    fatalError(
      "Flux: actions of \(type) were registered as \"\(name)\" and as \"\(known)\". Register them once.")
  }

  /// Stops the program because a name was registered for two types of action.
  static func registered(_ name: String, for other: any Action.Type, and type: any Action.Type) -> Never {
    fatalError(
      """
      Flux: \"\(name)\" was registered for actions of \(other) and of \(type). Give one of them another name: \
      register(_:as:).
      """)
  }

  /// Stops the program because a persistence was used in two stores.
  static func persistenceOfSecondStore(_ name: String) -> Never {
    fatalError(
      """
      Flux: the persistence of \(name).json was given to a second store. Two states cannot share a file: make a \
      persistence for each store, with a name of its own.
      """)
  }

  /// Stops the program because a history was used in two stores.
  static func historyOfSecondStore(_ name: String?) -> Never {
    fatalError(
      """
      Flux: the history\(name.map { " \($0)" } ?? "") was given to a second store. It tells of one state: make a \
      history for each store.
      """)
  }
}
