package import Flux

/// A renderer that draws panes whose props have changed, and sends the changed cells to the
/// terminal.
@MainActor
package final class Renderer<Name: Hashable & Sendable> {
  /// The result of one call of ``Renderer/draw()``.
  package struct Frame: Equatable, Sendable {
    /// The panes that were drawn.
    package var panes: Set<Name> = []
    /// The number of cells that were sent.
    package var cells = 0

    package init(panes: Set<Name> = [], cells: Int = 0) {
      self.panes = panes
      self.cells = cells
    }
  }

  /// The screen that the terminal shows; `nil` if it is unknown.
  private var shown: Screen?
  /// The layout of the shown screen.
  private var shownLayout: Layout<Name>?
  /// The layout of the next screen; `nil` while there is nothing to show.
  private var layout: Layout<Name>?
  private let layoutProps: TrackedProps<Layout<Name>>
  private let panes: [(name: Name, pane: Pane)]
  private let write: (String) -> Void

  /// Creates a renderer, which draws nothing yet.
  ///
  /// - Parameters:
  ///   - layout: Maps the state to the rectangles of the panes.
  ///   - source: A store, or a proxy of a part of a store.
  ///   - panes: The views, in the order in which they receive keys.
  ///   - write: Sends a string to the terminal.
  ///   - wake: Called on the main actor when the screen must be drawn again, usually before the
  ///     shown values have changed. Schedule a call of ``draw()`` instead of calling it directly.
  package init<Mapping: ConnectableMapping>(
    _ layout: Mapping, of source: some StateSource<Mapping.Superstate>, panes: [(Name, Pane)],
    write: @escaping (String) -> Void, wake: @escaping @Sendable () -> Void
  ) where Mapping.Props == Layout<Name> {
    layoutProps = TrackedProps(Connection(to: source, mapping: layout), wake: wake)
    self.panes = panes.map { (name: $0, pane: $1) }
    self.write = write
  }

  /// The last drawn screen; `nil` if nothing was drawn.
  package var screen: Screen? { shown }

  /// Discards the record of the terminal's contents, so that the next drawing sends all cells.
  package func forget() {
    shown = nil
  }

  /// Draws the changes.
  ///
  /// Nothing happens while there is no layout.
  @discardableResult
  package func draw() -> Frame {
    if layoutProps.haveChanged { layout = layoutProps.read() }
    guard let layout else { return Frame() }
    var frame = Frame()
    for (name, pane) in panes {
      if let place = layout.places[name], pane.update(for: place.size) { frame.panes.insert(name) }
    }
    let old = layout == shownLayout ? shown : nil
    guard old == nil || !frame.panes.isEmpty else { return frame }
    let screen = compose(layout, on: old, drawn: frame.panes)
    let change = ScreenChange(from: shown, to: screen)
    frame.cells = change.cells
    shown = screen
    shownLayout = layout
    if !change.sequence.isEmpty { write(change.sequence) }
    return frame
  }

  /// Copies the pictures of the panes to a screen.
  ///
  /// If the screen already shows the other panes, only the panes that were drawn are copied.
  private func compose(_ layout: Layout<Name>, on old: Screen?, drawn: Set<Name>) -> Screen {
    var screen = old ?? Screen(layout.size)
    screen.cursor = nil
    for (name, pane) in panes {
      guard let place = layout.places[name] else { continue }
      if old == nil || drawn.contains(name) { screen.lay(pane.picture, at: place.origin) }
      if let cursor = pane.picture.cursor {
        screen.cursor = Position(
          row: place.origin.row + cursor.row, column: place.origin.column + cursor.column)
      }
    }
    return screen
  }

  /// Passes a key to the visible panes, one after another, until a pane handles it.
  ///
  /// The key acts on the newest state. Connections can receive a state late, for example while
  /// another thread notifies plug-ins. Therefore, the renderer does not use the props of the
  /// last delivery, which might not contain the effects of the previous key.
  ///
  /// - Returns: A Boolean value that indicates whether a pane handled the key.
  @discardableResult
  package func press(_ key: Key) -> Bool {
    let places = layoutProps.refresh()?.places ?? [:]
    return panes.contains { name, pane in places[name] != nil && pane.press(key) }
  }
}
