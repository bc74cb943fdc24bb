/// Maps a state, and bindings to actions, to props: SwiftDux's way of connecting a view.
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
/// Implement one of the two functions. What returns `nil` shows nothing, until there is something to show.
public protocol ConnectableMapping<Superstate, Props>: PropsMapping where Props: Equatable {
  /// The state that is mapped.
  associatedtype Superstate

  /// What the view shows.
  associatedtype Props

  /// Makes the props of a state; `nil` if there is nothing to show.
  @MainActor
  func map(state: Superstate) -> Props?

  /// Makes the props of a state, with bindings to actions; `nil` if there is nothing to show.
  @MainActor
  func map(state: Superstate, binder: ActionBinder) -> Props?
}

extension ConnectableMapping {
  /// Stops the program: the other function is to be implemented.
  @MainActor
  public func map(state: Superstate) -> Props? { Misuse.mapsNothing(Self.self) }

  /// Makes the props without bindings.
  @MainActor
  public func map(state: Superstate, binder: ActionBinder) -> Props? { map(state: state) }

  /// Makes the props; `nil` if there is nothing to show.
  @MainActor
  public func _props(of state: Superstate, binder: ActionBinder) -> Props? {
    map(state: state, binder: binder)
  }
}
