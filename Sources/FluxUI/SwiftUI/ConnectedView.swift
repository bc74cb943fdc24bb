#if canImport(SwiftUI)
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
    /// The view for the props of now.
    public var body: ConnectedContent<Superstate, Props, ConnectedBody> {
      ConnectedContent(Self.comparison, map: _props) { body(props: $0) }
    }
  }

  /// What a connected view shows: its body for the props of now, or nothing.
  public struct ConnectedContent<Superstate: Sendable, Props, Content: View>: View {
    private let comparison: PropsComparison<Props>
    private let map: (Superstate, ActionBinder) -> Props?
    private let content: (Props) -> Content
    @Environment(\.providedStores) private var stores
    @State private var connection = ViewConnection<Superstate, Props>()

    init(
      _ comparison: PropsComparison<Props>, map: @escaping (Superstate, ActionBinder) -> Props?,
      content: @escaping (Props) -> Content
    ) {
      self.comparison = comparison
      self.map = map
      self.content = content
    }

    /// The body for the props of now, or nothing.
    public var body: Content? {
      connection.props(in: stores, comparing: comparison, map: map).map(content)
    }
  }
#endif
