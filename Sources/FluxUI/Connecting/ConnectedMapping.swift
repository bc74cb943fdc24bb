public import FluxCore

/// A mapping that returns the props for a state and a `dispatch` function, as in SwiftUIFlux.
///
/// ```swift
/// struct MovieRow: ConnectedMapping {
///   struct Props {
///     let title: String?
///     let like: () -> Void
///   }
///
///   let movieId: Int
///
///   func map(state: AppState, dispatch: @escaping DispatchFunction) -> Props {
///     Props(title: state.movies[movieId]?.title) { dispatch(Like(movieId)) }
///   }
/// }
/// ```
///
/// Props that are not `Equatable` count as changed with each delivery. Because any thread can
/// call the `dispatch` function, views show the resulting changes shortly after the call
/// returns. With the bindings of a ``ConnectableMapping``, views show the changes before the
/// call returns.
public protocol ConnectedMapping<Superstate, Props>: PropsMapping {
  /// The type of the state that is mapped.
  associatedtype Superstate

  /// The type of the values that the view shows.
  associatedtype Props

  /// Returns the props for a state and a function that dispatches actions.
  @MainActor
  func map(state: Superstate, dispatch: @escaping DispatchFunction) -> Props
}

extension ConnectedMapping {
  /// Returns the props from `map(state:dispatch:)`.
  @MainActor
  public func _props(of state: Superstate, binder: ActionBinder) -> Props? {
    map(state: state, dispatch: binder.dispatch.function)
  }
}
