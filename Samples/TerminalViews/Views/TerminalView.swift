package import Flux

/// A view in a terminal: it is mapped from the state, draws its props, and takes keys.
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
  /// Draws props on a screen of spaces, which is as large as the view's place.
  @MainActor
  func draw(_ props: Props, on screen: inout Screen)

  /// Does what a key means here, if it means something.
  ///
  /// - Returns: Whether it does; if not, the view behind this one is asked.
  @MainActor
  func press(_ key: Key, with props: Props) -> Bool
}

extension TerminalView {
  /// No key means anything.
  @MainActor
  package func press(_ key: Key, with props: Props) -> Bool { false }
}
