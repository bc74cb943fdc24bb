import FluxCore

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property whose value is the state of a provided store.
///
/// ```swift
/// @MappedState var todos: TodoList
///
/// init(stores: ProvidedStores) {
///   _todos = MappedState(in: stores)
/// }
/// ```
///
/// In a SwiftUI view, the property needs no arguments. Code that reads the property inside
/// `withObservationTracking`, or in the body of a view, is notified when the state has changed.
/// An `Equatable` state has changed if it is not equal to the previous state. A state that is
/// not `Equatable` counts as changed with each delivery.
///
/// Code can read the property at any time, for example in the action of a button. After the
/// store is released, the property keeps its last value. The idea and the name come from
/// SwiftDux.
@MainActor @propertyWrapper
public struct MappedState<State: Sendable> {
  private let place: PlaceInViews
  /// The connection of a property that was created with stores.
  private let given: ViewConnection<State, State>?
  #if canImport(SwiftUI)
    @SwiftUI.State private var ofView: ViewConnection<State, State>
  #else
    private let ofView: ViewConnection<State, State>
  #endif

  private init(comparing comparison: PropsComparison<State>, in stores: ProvidedStores?) {
    place = PlaceInViews(stores)
    ofView = ViewConnection(comparingStatesBy: comparison)
    given = stores.map { stores in
      let connection = ViewConnection<State, State>(comparingStatesBy: comparison)
      _ = connection.state(in: stores)
      return connection
    }
  }

  /// Creates a property for a state that is not `Equatable`.
  ///
  /// If no provided store has the state, the program stops.
  @_disfavoredOverload
  public init(in stores: ProvidedStores) {
    self.init(comparing: .never, in: stores)
  }

  /// Creates a property for an `Equatable` state.
  ///
  /// If no provided store has the state, the program stops.
  public init(in stores: ProvidedStores) where State: Equatable {
    self.init(comparing: .equality, in: stores)
  }

  #if canImport(SwiftUI)
    /// Creates a property of a view, for a state that is not `Equatable`.
    @_disfavoredOverload
    public init() {
      self.init(comparing: .never, in: nil)
    }

    /// Creates a property of a view, for an `Equatable` state.
    public init() where State: Equatable {
      self.init(comparing: .equality, in: nil)
    }
  #endif

  /// The state that was last delivered on the main actor.
  ///
  /// Reading this property stops the program if no provided store has the state, or if the
  /// store was released before the first read.
  public var wrappedValue: State {
    guard let state = (given ?? ofView).state(in: place.stores) else { Misuse.hasGone(State.self) }
    return state
  }
}

#if canImport(SwiftUI)
  extension MappedState: DynamicProperty {}
#endif
