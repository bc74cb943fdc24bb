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
  private var shownLayout: Layout<Name>?
  /// The layout as it was read last.
  private var next: Layout<Name>?
  private let layout: TrackedProps<Layout<Name>>
  private let panes: [(name: Name, pane: Pane)]
  private let write: (String) -> Void

  /// Creates a renderer, which has drawn nothing.
  ///
  /// - Parameters:
  ///   - layout: Maps the state to the places of the panes.
  ///   - source: A store, or a proxy of a part of one.
  ///   - views: The panes. A key is given to one after another.
  ///   - write: Sends a text to the terminal.
  ///   - wake: Called when it is time to draw, on the main actor, and mostly before what is drawn has changed: to be
  ///     followed by a call of ``draw()`` a little later.
  package init<Mapping: ConnectableMapping>(
    _ layout: Mapping, of source: some StateSource<Mapping.Superstate>, panes: [(Name, Pane)],
    write: @escaping (String) -> Void, wake: @escaping @Sendable () -> Void
  ) where Mapping.Props == Layout<Name> {
    self.layout = TrackedProps(Connection(to: source, mapping: layout), wake: wake)
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
  @discardableResult
  package func draw() -> Frame {
    if layout.haveChanged || shownLayout == nil { next = layout.read() }
    guard let next else { return Frame() }
    var frame = Frame()
    for (name, pane) in panes {
      if let place = next.places[name], pane.update(for: place.size) { frame.panes.insert(name) }
    }
    let isLaidAnew = shown == nil || shownLayout != next
    guard isLaidAnew || !frame.panes.isEmpty else { return frame }
    var screen = isLaidAnew ? Screen(next.size) : shown ?? Screen(next.size)
    screen.cursor = nil
    for (name, pane) in panes {
      guard let place = next.places[name] else { continue }
      if isLaidAnew || frame.panes.contains(name) { screen.lay(pane.picture, at: place.origin) }
      if let cursor = pane.picture.cursor {
        screen.cursor = Position(
          row: place.origin.row + cursor.row, column: place.origin.column + cursor.column)
      }
    }
    let change = ScreenChange(from: shown, to: screen)
    frame.cells = change.cells
    shown = screen
    shownLayout = next
    if !change.sequence.isEmpty { write(change.sequence) }
    return frame
  }

  /// Gives a key to the panes that are seen, one after another, until it means something to one.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  package func press(_ key: Key) -> Bool {
    panes.contains { name, pane in layout.current?.places[name] != nil && pane.press(key) }
  }
}
