import SampleTerminal

/// What stands in one cell of a screen.
package struct Cell: Hashable, Sendable {
  /// What stands there; `nil` in the second cell of a wide character.
  package var character: Character? = " "
  package var style: Style = []

  package init(_ character: Character? = " ", _ style: Style = []) {
    self.character = character
    self.style = style
  }
}

/// A grid of cells: the picture of one view, or of all of them.
package struct Screen: Equatable, Sendable {
  package let size: ScreenSize
  /// Where the user types, if that is to be seen.
  package var cursor: Position?
  /// The cells, row by row.
  private var cells: [Cell]

  /// Creates a screen of spaces.
  package init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: Cell(), count: size.rows * size.columns)
  }

  /// The cell at a position, which must be on the screen.
  package internal(set) subscript(row: Int, column: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }

  /// The rows as text, without the spaces at their ends.
  package var text: String {
    (0..<size.rows).map { row in
      let line = (0..<size.columns).compactMap { self[row, $0].character }
      return String(String(line).reversed().drop { $0 == " " }.reversed())
    }
    .joined(separator: "\n")
  }

  // MARK: - Drawing

  /// Writes a text from a position on, cut with "…" where there is no more room; nothing where that is not on the screen.
  ///
  /// What a terminal would obey is replaced, so that the text may be anybody's.
  ///
  /// - Parameters:
  ///   - columns: How much room there is; up to the end of the row, unless said otherwise.
  /// - Returns: The column behind the text.
  @discardableResult
  package mutating func write(
    _ text: String, row: Int, column: Int = 0, columns: Int = .max, _ style: Style = []
  ) -> Int {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return column }
    var column = column
    for character in text.tame.cut(to: min(columns, size.columns - column)) {
      // What is to be written onto a character has none at the beginning of a text.
      let width = character.columns
      guard column + max(1, width) <= size.columns else { break }
      self[row, column] = Cell(width == 0 ? "\u{FFFD}" : character, style)
      if width == 2 { self[row, column + 1] = Cell(nil, style) }
      column += max(1, width)
    }
    return column
  }

  /// Shows a row in a style, in place of those of its characters.
  package mutating func restyle(row: Int, _ style: Style) {
    guard (0..<size.rows).contains(row) else { return }
    for column in 0..<size.columns { self[row, column].style = style }
  }

  /// Lays the picture of a part over that part.
  ///
  /// The part must be on the screen, and of the picture's size.
  mutating func lay(_ picture: Screen, at origin: Position) {
    for row in 0..<picture.size.rows {
      for column in 0..<picture.size.columns {
        self[origin.row + row, origin.column + column] = picture[row, column]
      }
    }
  }
}
