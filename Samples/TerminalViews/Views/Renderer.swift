package import Flux

/// Shows panes on a screen, draws those again whose props have changed, and sends the terminal the cells that differ.
@MainActor
package final class Renderer<Name: Hashable & Sendable> {
  /// What one call of ``Renderer/draw()`` did.
  package struct Frame: Equatable, Sendable {
    /// The panes that were drawn.
    package var panes: Set<Name> = []
    /// How many cells were sent.
    package var cells = 0

    package init(panes: Set<Name> = [], cells: Int = 0) {
      self.panes = panes
      self.cells = cells
    }
  }

  /// What the terminal shows; `nil` if that is not known.
  private var shown: Screen?
  /// Where the panes are on it.
  private var shownLayout: Layout<Name>?
  /// Where the panes are to be; `nil` while there is nothing to show.
  private var layout: Layout<Name>?
  private let layoutProps: TrackedProps<Layout<Name>>
  private let panes: [(name: Name, pane: Pane)]
  private let write: (String) -> Void

  /// Creates a renderer, which has drawn nothing.
  ///
  /// - Parameters:
  ///   - layout: Maps the state to the places of the panes.
  ///   - source: A store, or a proxy of a part of one.
  ///   - panes: The views. A key is given to one after another.
  ///   - write: Sends a text to the terminal.
  ///   - wake: Called when it is time to draw, on the main actor, and mostly before what is drawn has changed: to be
  ///     followed by a call of ``draw()`` a little later.
  package init<Mapping: ConnectableMapping>(
    _ layout: Mapping, of source: some StateSource<Mapping.Superstate>, panes: [(Name, Pane)],
    write: @escaping (String) -> Void, wake: @escaping @Sendable () -> Void
  ) where Mapping.Props == Layout<Name> {
    layoutProps = TrackedProps(Connection(to: source, mapping: layout), wake: wake)
    self.panes = panes.map { (name: $0, pane: $1) }
    self.write = write
  }

  /// The screen as it was drawn last; `nil` if it was not.
  package var screen: Screen? { shown }

  /// Forgets what the terminal shows, so that all of it is sent again.
  package func forget() {
    shown = nil
  }

  /// Draws what has changed.
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

  /// Lays the pictures of the panes on a screen: those that were drawn, if the others are there, and else all.
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

  /// Gives a key to the panes that are seen, one after another, until it means something to one.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  package func press(_ key: Key) -> Bool {
    panes.contains { name, pane in layoutProps.current?.places[name] != nil && pane.press(key) }
  }
}
