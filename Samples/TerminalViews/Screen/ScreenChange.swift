/// A change from one screen to another, which writes only the cells that differ.
package struct ScreenChange {
  /// The text to send to the terminal; empty if the terminal already shows the screen.
  package private(set) var sequence = ""
  /// The number of cells that are written.
  package private(set) var cells = 0

  /// The position of the next character; `nil` if it is uncertain.
  private var place: Position?
  private var style: Style = []

  /// Computes the text to send.
  ///
  /// - Parameters:
  ///   - old: The screen that the terminal shows; `nil` if it is unknown, in which case the
  ///     terminal is cleared first.
  ///   - new: The screen to show.
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
    // The second cell of a wide character is written with the first cell.
    guard let character = cell.character else { return }
    if place != position || !character.isPlain { move(to: position) }
    setStyle(cell.style)
    guard !character.isPlain else {
      sequence.append(character)
      place = Position(row: position.row, column: position.column + 1)
      return
    }
    // The terminal might draw the character with fewer columns. The spaces therefore erase the
    // old content, and the next character is written at an explicit position.
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
