import FluxCore

/// A provided state as a property of what shows it.
///
/// ```swift
/// @MappedState var todos: TodoList
///
/// init(stores: ProvidedStores) {
///   _todos = MappedState(in: stores)
/// }
/// ```
///
/// Whoever reads it inside `withObservationTracking`, or in the body of a SwiftUI view, hears when it has changed: when it is
/// not equal to what it was, if it is `Equatable`, and else with each delivery. Once the store has gone it stays as it
/// was. The idea and the name are SwiftDux's.
@MainActor @propertyWrapper
public struct MappedState<State: Sendable> {
  private let connection: Connection<State>

  /// Creates the property of a state that cannot be compared.
  ///
  /// Stops the program if none is provided.
  @_disfavoredOverload
  public init(in stores: ProvidedStores) {
    connection = Connection(to: stores.store(of: State.self), comparing: .none) { state, _ in state }
  }

  /// Creates the property of a state that is equal to what it was, or not.
  ///
  /// Stops the program if none is provided.
  public init(in stores: ProvidedStores) where State: Equatable {
    connection = Connection(to: stores.store(of: State.self)) { state in state }
  }

  /// The state, as it was last delivered on the main actor.
  ///
  /// Stops the program if the store had gone when this was made.
  public var wrappedValue: State {
    guard let state = connection.props else { Misuse.hasGone(State.self) }
    return state
  }
}
