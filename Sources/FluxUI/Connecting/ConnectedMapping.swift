public import FluxCore

/// Maps a state and a function that dispatches to props: SwiftUIFlux's way of connecting a view.
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
/// Props that are not `Equatable` count as changed with each delivery. What the function dispatches is shown a little
/// later, since it is for any thread; ``ConnectableMapping`` binds actions whose effect is shown at once.
public protocol ConnectedMapping<Superstate, Props>: PropsMapping {
  /// The state that is mapped.
  associatedtype Superstate

  /// What the view shows.
  associatedtype Props

  /// Makes the props of a state and a function that dispatches.
  @MainActor
  func map(state: Superstate, dispatch: @escaping DispatchFunction) -> Props
}

extension ConnectedMapping {
  /// Makes the props.
  @MainActor
  public func _props(of state: Superstate, binder: ActionBinder) -> Props? {
    map(state: state, dispatch: binder.dispatch.function)
  }
}
