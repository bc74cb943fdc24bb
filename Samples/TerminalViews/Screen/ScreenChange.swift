/// What makes a terminal that shows one screen show another: only cells that differ are written.
package struct ScreenChange {
  /// What the terminal has to be sent; empty when it shows the screen already.
  package private(set) var sequence = ""
  /// How many cells are written.
  package private(set) var cells = 0

  /// Where the next character would come; `nil` when that is not sure.
  private var place: Position?
  private var style: Style = []

  /// Finds out what to send.
  ///
  /// - Parameters:
  ///   - old: What the terminal shows; `nil` if that is not known: then it is cleared first.
  ///   - new: What it is to show.
  package init(from old: Screen?, to new: Screen) {
    let known = old.flatMap { $0.size == new.size ? $0 : nil }
    let before = known ?? Screen(new.size)
    for row in 0..<new.size.rows {
      for column in 0..<new.size.columns where new[row, column] != before[row, column] {
        write(new[row, column], at: Position(row: row, column: column))
      }
    }
    guard known == nil || cells > 0 || new.cursor != before.cursor else { return }
    setStyle([])
    sequence = "\u{1B}[?25l" + (known == nil ? "\u{1B}[0m\u{1B}[2J" : "") + sequence
    if let cursor = new.cursor {
      move(to: cursor)
      sequence += "\u{1B}[?25h"
    }
  }

  private mutating func write(_ cell: Cell, at position: Position) {
    cells += 1
    // The second cell of a wide character comes with the first.
    guard let character = cell.character else { return }
    if place != position || !character.isPlain { move(to: position) }
    setStyle(cell.style)
    guard !character.isPlain else {
      sequence.append(character)
      place = Position(row: position.row, column: position.column + 1)
      return
    }
    // Nothing of what was there may be left if the terminal gives it less room, and what follows gets its own place.
    if character.unicodeScalars.count > 1, character.columns == 2 {
      sequence += "  "
      move(to: position)
    }
    sequence.append(character)
    place = nil
  }

  private mutating func move(to position: Position) {
    sequence += "\u{1B}[\(position.row + 1);\(position.column + 1)H"
    place = position
  }

  private mutating func setStyle(_ new: Style) {
    guard new != style else { return }
    let codes: [(Style, String)] = [(.bold, "1"), (.dim, "2"), (.underlined, "4"), (.reversed, "7")]
    sequence += "\u{1B}[0" + codes.filter { new.contains($0.0) }.map { ";" + $0.1 }.joined() + "m"
    style = new
  }
}
