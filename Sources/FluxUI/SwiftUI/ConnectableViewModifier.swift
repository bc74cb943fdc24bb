#if canImport(SwiftUI)
  public import SwiftUI

  /// A modifier that is connected in SwiftDux's way: `map(state:)` or `map(state:binder:)` makes its props, and
  /// `body(props:content:)` shows them with the view that it is applied to; there is nothing to see while they are `nil`.
  ///
  /// ```swift
  /// struct Titled: ConnectableViewModifier {
  ///   func map(state: AppState) -> String? {
  ///     state.title
  ///   }
  ///
  ///   func body(props: String, content: Content) -> some View {
  ///     Text(props)
  ///     content
  ///   }
  /// }
  /// ```
  public typealias ConnectableViewModifier = ViewModifier & ConnectableMapping & PropsModifier

  /// The body of a modifier that is made of props.
  public protocol PropsModifier: PropsMapping {
    /// The view that is modified.
    associatedtype Modified
    /// What shows the props.
    associatedtype ConnectedBody: View

    /// Shows the props with the view that is modified.
    @ViewBuilder @MainActor
    func body(props: Props, content: Modified) -> ConnectedBody
  }

  extension ViewModifier where Self: PropsModifier, Modified == _ViewModifier_Content<Self> {
    /// The view for the props of now.
    public func body(content: Content) -> ConnectedContent<Superstate, Props, ConnectedBody> {
      ConnectedContent(Self.comparison, map: _props) { body(props: $0, content: content) }
    }
  }
#endif
