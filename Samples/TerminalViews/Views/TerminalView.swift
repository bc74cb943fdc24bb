package import Flux

/// A view in a terminal, which is mapped from the state, draws its props, and handles keys.
///
/// ```swift
/// struct Counter: TerminalView {
///   struct Props: Equatable {
///     let count: Int
///     @ActionBinding var onMore: () -> Void
///   }
///
///   func map(state: AppState, binder: ActionBinder) -> Props? {
///     Props(count: state.count, onMore: binder.bind(Increment()))
///   }
///
///   func draw(_ props: Props, on screen: inout Screen) {
///     screen.write("\(props.count)", row: 0)
///   }
///
///   func press(_ key: Key, with props: Props) -> Bool {
///     guard key == .character("+") else { return false }
///     props.onMore()
///     return true
///   }
/// }
/// ```
package protocol TerminalView: ConnectableMapping {
  /// Draws props on an empty screen, which has the size of the view's rectangle.
  @MainActor
  func draw(_ props: Props, on screen: inout Screen)

  /// Handles a key, if the key has a meaning for the view.
  ///
  /// - Returns: A Boolean value that indicates whether the view handled the key. If the value is
  ///   `false`, the next view receives the key.
  @MainActor
  func press(_ key: Key, with props: Props) -> Bool
}

extension TerminalView {
  /// Handles no key.
  @MainActor
  package func press(_ key: Key, with props: Props) -> Bool { false }
}
