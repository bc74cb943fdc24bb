package import Flux

/// A view that has been connected, and its picture.
@MainActor
package final class Pane {
  /// What was drawn last.
  private(set) var picture = Screen(ScreenSize(columns: 0, rows: 0))
  private let hasChanged: () -> Bool
  private let draw: (ScreenSize) -> Screen
  private let take: (Key) -> Bool

  /// Connects a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - source: A store, or a proxy of a part of one.
  ///   - wake: Called when the view is to be drawn again.
  package init<View: TerminalView>(
    _ view: View, of source: some StateSource<View.Superstate>, wake: @escaping @Sendable () -> Void
  ) {
    let props = TrackedProps(Connection(to: source, mapping: view), wake: wake)
    hasChanged = { props.haveChanged }
    draw = { size in
      var picture = Screen(size)
      if let props = props.read() { view.draw(props, on: &picture) }
      return picture
    }
    take = { key in
      guard let props = props.current else { return false }
      return view.press(key, with: props)
    }
  }

  /// Draws the view if its props have changed, or its size; returns whether it was.
  func update(for size: ScreenSize) -> Bool {
    guard hasChanged() || picture.size != size else { return false }
    picture = draw(size)
    return true
  }

  /// Whether a key means something to the view; if so, it is done.
  func press(_ key: Key) -> Bool { take(key) }
}
