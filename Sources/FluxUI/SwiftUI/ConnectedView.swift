#if canImport(SwiftUI)
  public import FluxCore
  public import SwiftUI

  /// A view that is connected to a store, as in SwiftUIFlux.
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
  /// `map(state:dispatch:)` returns the props, and `body(props:)` shows them. A delivery runs
  /// the body only if the props have changed. Props that are not `Equatable` count as changed
  /// with each delivery. ``ConnectedMapping`` and ``Connection`` describe the rules for the
  /// mapping.
  public typealias ConnectedView = View & ConnectedMapping & PropsBody

  /// A view that is connected to a store, as in SwiftDux.
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
  /// `map(state:)` or `map(state:binder:)` returns the props, and `body(props:)` shows them.
  /// While the props are `nil`, the view shows nothing, unless an enclosing view has the modifier
  /// ``SwiftUI/View/keepsLastProps()``. A delivery runs the body only if the props have changed.
  /// ``ConnectableMapping`` and ``Connection`` describe the rules for the mapping.
  public typealias ConnectableView = View & ConnectableMapping & PropsBody

  /// A view whose body shows props.
  ///
  /// ``ConnectedView`` and ``ConnectableView`` both include this protocol.
  public protocol PropsBody: PropsMapping {
    /// The type of the body.
    associatedtype ConnectedBody: View

    /// Returns a body that shows the props.
    @ViewBuilder @MainActor
    func body(props: Props) -> ConnectedBody
  }

  extension View where Self: PropsBody {
    /// The body for the current props.
    public var body: ConnectedContent<Superstate, Props, ConnectedBody> {
      ConnectedContent(Self.comparison, map: _props) { body(props: $0) }
    }
  }

  extension View where Self: ConnectedMapping & PropsBody {
    /// Returns the body for a state, without a connection to a store.
    ///
    /// The body shows the props that `map(state:dispatch:)` returns. Use this method in tests
    /// and previews. The name comes from SwiftUIFlux.
    ///
    /// - Parameters:
    ///   - state: The state to map.
    ///   - dispatch: The function with which closures in the props dispatch actions.
    public func render(state: Superstate, dispatch: @escaping DispatchFunction) -> ConnectedBody {
      body(props: map(state: state, dispatch: dispatch))
    }
  }

  /// A view that connects a closure to a state.
  ///
  /// ```swift
  /// StoreConnector { (state: AppState, dispatch) in
  ///   Button("\(state.count)") { dispatch(Increment()) }
  /// }
  /// ```
  ///
  /// The closure runs for each delivery. Because any thread can call the `dispatch` function,
  /// the view shows the resulting changes shortly after the call returns. If no store is
  /// provided, the view shows nothing. The idea and the name come from SwiftUIFlux.
  public struct StoreConnector<Superstate: Sendable, Content: View>: View {
    private let content: @MainActor (Superstate, @escaping DispatchFunction) -> Content

    /// Creates a view that shows a state.
    ///
    /// - Parameter content: A closure that returns the view for a state and a function that
    ///   dispatches actions.
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

  /// The content of a connected view, which is the body of the view for the current props.
  ///
  /// The content is empty if there are no props, or if no store is provided.
  public struct ConnectedContent<Superstate: Sendable, Props, Content: View>: View {
    private let mapping: ViewConnection<Superstate, Props>.Mapping
    private let content: (Props) -> Content
    @Environment(\.providedStores) private var stores
    @Environment(\.keepsLastProps) private var keepsLast
    @State private var connection = ViewConnection<Superstate, Props>()

    init(
      _ comparison: PropsComparison<Props>, map: @escaping (Superstate, ActionBinder) -> Props?,
      content: @escaping (Props) -> Content
    ) {
      mapping = ViewConnection.Mapping(comparison, map: map)
      self.content = content
    }

    /// The body for the current props; empty if there are no props.
    public var body: some View {
      if let props = connection.props(in: stores, of: mapping, keepingLast: keepsLast) { content(props) }
    }
  }
#endif
