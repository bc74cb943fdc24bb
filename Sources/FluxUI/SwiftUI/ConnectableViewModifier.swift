#if canImport(SwiftUI)
  public import SwiftUI

  /// A modifier that shows props in addition to the view that it is applied to, as in SwiftDux.
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
  ///
  /// `map(state:)` or `map(state:binder:)` returns the props, and `body(props:content:)` shows
  /// the props together with the modified view. While the props are `nil`, neither the props
  /// nor the modified view is shown.
  public typealias ConnectableViewModifier = ViewModifier & ConnectableMapping & PropsModifier

  /// A modifier whose body shows props.
  public protocol PropsModifier: PropsMapping {
    /// The type of the view that is modified.
    associatedtype Modified
    /// The type of the body.
    associatedtype ConnectedBody: View

    /// Returns a body that shows the props and the modified view.
    @ViewBuilder @MainActor
    func body(props: Props, content: Modified) -> ConnectedBody
  }

  extension ViewModifier where Self: PropsModifier, Modified == _ViewModifier_Content<Self> {
    /// Returns the body for the current props.
    public func body(content: Content) -> ConnectedContent<Superstate, Props, ConnectedBody> {
      ConnectedContent(Self.comparison, map: _props) { body(props: $0, content: content) }
    }
  }
#endif
