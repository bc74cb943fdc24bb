#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  /// A view that is connected in SwiftUIFlux's way: `map(state:dispatch:)` makes its props, `body(props:)` shows them.
  ///
  /// ```swift
  /// struct MovieRow: ConnectedView {
  ///   struct Props: Equatable {
  ///     let title: String?
  ///   }
  ///
  ///   let movieId: Int
  ///
  ///   func map(state: AppState, dispatch: @escaping DispatchFunction) -> Props {
  ///     Props(title: state.movies[movieId]?.title)
  ///   }
  ///
  ///   func body(props: Props) -> some View {
  ///     Text(props.title ?? "unknown")
  ///   }
  /// }
  /// ```
  ///
  /// A delivery runs the body only if the props have changed, which those that are not `Equatable` have with each. What is said
  /// of the mapping at ``ConnectedMapping`` and ``Connection`` holds.
  public typealias ConnectedView = View & ConnectedMapping & PropsBody

  /// A view that is connected in SwiftDux's way: `map(state:)` or `map(state:binder:)` makes its props, `body(props:)` shows
  /// them; there is nothing to see while they are `nil`.
  ///
  /// ```swift
  /// struct TodoDetails: ConnectableView {
  ///   var id: String
  ///
  ///   func map(state: TodoList) -> Todo? {
  ///     state.todos[id]
  ///   }
  ///
  ///   func body(props: Todo) -> some View {
  ///     Text(props.title)
  ///   }
  /// }
  /// ```
  ///
  /// A delivery runs the body only if the props have changed. What is said of the mapping at ``ConnectableMapping`` and ``Connection``
  /// holds.
  public typealias ConnectableView = View & ConnectableMapping & PropsBody

  /// The body of a view that is made of props: what ``ConnectedView`` and ``ConnectableView`` have in common.
  public protocol PropsBody: PropsMapping {
    /// What shows the props.
    associatedtype ConnectedBody: View

    /// Shows the props.
    @ViewBuilder @MainActor
    func body(props: Props) -> ConnectedBody
  }

  extension View where Self: PropsBody {
    /// The view for the current props.
    public var body: ConnectedContent<Superstate, Props, ConnectedBody> {
      ConnectedContent(Self.comparison, map: _props) { body(props: $0) }
    }
  }

  extension View where Self: ConnectedMapping & PropsBody {
    /// Returns the body for a state, without a connection to a store.
    ///
    /// It is the body of the props that `map(state:dispatch:)` returns, for tests and previews.
    /// The name is SwiftUIFlux's.
    ///
    /// - Parameters:
    ///   - state: The state to map.
    ///   - dispatch: The function that the props dispatch with.
    public func render(state: Superstate, dispatch: @escaping DispatchFunction) -> ConnectedBody {
      body(props: map(state: state, dispatch: dispatch))
    }
  }

  /// A view that shows a state, and dispatches, by a closure.
  ///
  /// ```swift
  /// StoreConnector { (state: AppState, dispatch) in
  ///   Button("\(state.count)") { dispatch(Increment()) }
  /// }
  /// ```
  ///
  /// The closure runs with each delivery. What it dispatches is shown a little later, because any
  /// thread may call the function. The view shows nothing if no store is provided. The idea and
  /// the name are SwiftUIFlux's.
  public struct StoreConnector<Superstate: Sendable, Content: View>: View {
    private let content: @MainActor (Superstate, @escaping DispatchFunction) -> Content

    /// Creates a view that shows a state.
    ///
    /// - Parameter content: Returns the view for a state and a function that dispatches.
    public init(
      @ViewBuilder content:
        @escaping @MainActor (_ state: Superstate, _ dispatch: @escaping DispatchFunction) ->
        Content
    ) {
      self.content = content
    }

    /// The view for the current state.
    public var body: ConnectedContent<Superstate, Content, Content> {
      ConnectedContent(.never, map: { state, binder in content(state, binder.dispatch.function) }) { $0 }
    }
  }

  /// The content of a connected view: its body for the current props.
  ///
  /// It is empty while there are no props, or if no store is provided.
  public struct ConnectedContent<Superstate: Sendable, Props, Content: View>: View {
    private let mapping: ViewConnection<Superstate, Props>.Mapping
    private let content: (Props) -> Content
    @Environment(\.providedStores) private var stores
    @State private var connection = ViewConnection<Superstate, Props>()

    init(
      _ comparison: PropsComparison<Props>, map: @escaping (Superstate, ActionBinder) -> Props?,
      content: @escaping (Props) -> Content
    ) {
      mapping = ViewConnection.Mapping(comparison, map: map)
      self.content = content
    }

    /// The body for the current props, if there are any.
    public var body: some View {
      if let props = connection.props(in: stores, of: mapping) { content(props) }
    }
  }
#endif
