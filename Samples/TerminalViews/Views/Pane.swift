package import Flux

/// A connected view and its picture.
@MainActor
package final class Pane {
  /// The last picture.
  private(set) var picture = Screen(ScreenSize(columns: 0, rows: 0))
  private let hasChanged: () -> Bool
  private let draw: (ScreenSize) -> Screen
  private let take: (Key) -> Bool

  /// Connects a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - source: A store, or a proxy of a part of a store.
  ///   - wake: Called when the view needs to be drawn again.
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
      guard let props = props.refresh() else { return false }
      return view.press(key, with: props)
    }
  }

  /// Draws the view if its props or its size have changed; returns whether it was drawn.
  func update(for size: ScreenSize) -> Bool {
    guard hasChanged() || picture.size != size else { return false }
    picture = draw(size)
    return true
  }

  /// Passes a key to the view, with the props of the newest state; returns whether the view
  /// handled the key.
  func press(_ key: Key) -> Bool { take(key) }
}
