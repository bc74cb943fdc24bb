/// A mapping from a state to props that can contain bindings to actions, as in SwiftDux.
///
/// ```swift
/// struct TodoTitle: ConnectableMapping {
///   var id: String
///
///   func map(state: TodoList) -> String? {
///     state.todos[id: id]?.title
///   }
/// }
/// ```
///
/// Implement one of the two `map` functions. While the implemented `map` function returns
/// `nil`, the view shows nothing.
public protocol ConnectableMapping<Superstate, Props>: PropsMapping where Props: Equatable {
  /// The type of the state that is mapped.
  associatedtype Superstate

  /// The type of the values that the view shows.
  associatedtype Props

  /// Returns the props for a state, or `nil` if there is nothing to show.
  @MainActor
  func map(state: Superstate) -> Props?

  /// Returns the props for a state, with bindings to actions, or `nil` if there is nothing to
  /// show.
  @MainActor
  func map(state: Superstate, binder: ActionBinder) -> Props?
}

extension ConnectableMapping {
  /// Stops the program, because a mapping must implement one of the two `map` functions.
  @MainActor
  public func map(state: Superstate) -> Props? { Misuse.mapsNothing(Self.self) }

  /// Returns the props from `map(state:)`, which contain no bindings.
  @MainActor
  public func map(state: Superstate, binder: ActionBinder) -> Props? { map(state: state) }

  /// Returns the props, or `nil` if there is nothing to show.
  @MainActor
  public func _props(of state: Superstate, binder: ActionBinder) -> Props? {
    map(state: state, binder: binder)
  }
}
