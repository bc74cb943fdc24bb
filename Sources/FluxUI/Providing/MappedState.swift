import FluxCore

#if canImport(SwiftUI)
  public import SwiftUI
#endif

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
/// In a SwiftUI view it needs no arguments. Whoever reads it inside `withObservationTracking`, or in the body of a view,
/// hears when it has changed: when it is not equal to what it was, if it is `Equatable`, and else with each delivery. It may
/// be read at any time, by a button too. Once the store has gone it stays as it was. The idea and the name are SwiftDux's.
@MainActor @propertyWrapper
public struct MappedState<State: Sendable> {
  private let place: PlaceInViews
  /// The connection of a property that was given its stores.
  private let given: StateConnection<State>?
  #if canImport(SwiftUI)
    @SwiftUI.State private var ofView: StateConnection<State>
  #else
    private let ofView: StateConnection<State>
  #endif

  private init(comparing comparison: PropsComparison<State>, in stores: ProvidedStores?) {
    place = PlaceInViews(stores)
    ofView = StateConnection(comparing: comparison)
    given = stores.map { stores in
      let connection = StateConnection(comparing: comparison)
      _ = connection.state(in: stores)
      return connection
    }
  }

  /// Creates the property of a state that cannot be compared.
  ///
  /// Stops the program if none is provided.
  @_disfavoredOverload
  public init(in stores: ProvidedStores) {
    self.init(comparing: .never, in: stores)
  }

  /// Creates the property of a state that is equal to what it was, or not.
  ///
  /// Stops the program if none is provided.
  public init(in stores: ProvidedStores) where State: Equatable {
    self.init(comparing: .equality, in: stores)
  }

  #if canImport(SwiftUI)
    /// Creates the property of a view, of a state that cannot be compared.
    @_disfavoredOverload
    public init() {
      self.init(comparing: .never, in: nil)
    }

    /// Creates the property of a view, of a state that is equal to what it was, or not.
    public init() where State: Equatable {
      self.init(comparing: .equality, in: nil)
    }
  #endif

  /// The state, as it was last delivered on the main actor.
  ///
  /// Stops the program if the store had gone before it was first read, or if none is provided.
  public var wrappedValue: State {
    guard let state = (given ?? ofView).state(in: place.stores) else { Misuse.hasGone(State.self) }
    return state
  }
}

/// A connection to the whole of a state.
@MainActor
private final class StateConnection<State: Sendable> {
  private let comparison: PropsComparison<State>
  private let connection = ViewConnection<State, State>()

  init(comparing comparison: PropsComparison<State>) {
    self.comparison = comparison
  }

  /// The state as it was last delivered; `nil` if the store had gone before this was first asked.
  func state(in stores: ProvidedStores) -> State? {
    connection.state(in: stores, comparing: comparison)
  }
}

#if canImport(SwiftUI)
  extension MappedState: DynamicProperty {}
#endif
