import SampleTerminal

/// The content of one cell of a screen.
package struct Cell: Hashable, Sendable {
  /// The character; `nil` in the second cell of a wide character.
  package var character: Character? = " "
  package var style: Style = []

  package init(_ character: Character? = " ", _ style: Style = []) {
    self.character = character
    self.style = style
  }
}

/// A grid of cells: the picture of one view, or of all views.
package struct Screen: Equatable, Sendable {
  package let size: ScreenSize
  /// The position of the cursor, if the cursor is visible.
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

  /// Writes a string at a position, and truncates the string with "…" at the end of the available
  /// room.
  ///
  /// A position outside the screen has no effect.
  ///
  /// Control characters are replaced, so that the string can be untrusted.
  ///
  /// - Parameters:
  ///   - columns: The available number of columns. By default, the string can reach the end of
  ///     the row.
  /// - Returns: The column after the string.
  @discardableResult
  package mutating func write(
    _ text: String, row: Int, column: Int = 0, columns: Int = .max, _ style: Style = []
  ) -> Int {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return column }
    var column = column
    for character in text.tame.cut(to: min(columns, size.columns - column)) {
      // At the beginning of a string, a combining character has no character to combine with.
      let width = character.columns
      guard column + max(1, width) <= size.columns else { break }
      self[row, column] = Cell(width == 0 ? "\u{FFFD}" : character, style)
      if width == 2 { self[row, column + 1] = Cell(nil, style) }
      column += max(1, width)
    }
    return column
  }

  /// Changes the style of all characters of a row.
  package mutating func restyle(row: Int, _ style: Style) {
    guard (0..<size.rows).contains(row) else { return }
    for column in 0..<size.columns { self[row, column].style = style }
  }

  /// Copies the picture of a part to the screen.
  ///
  /// The picture at its position must fit on the screen.
  mutating func lay(_ picture: Screen, at origin: Position) {
    for row in 0..<picture.size.rows {
      for column in 0..<picture.size.columns {
        self[origin.row + row, origin.column + column] = picture[row, column]
      }
    }
  }
}
