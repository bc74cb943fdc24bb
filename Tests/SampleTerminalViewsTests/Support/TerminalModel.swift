import SampleTerminalViews

/// A terminal that interprets the output of a `ScreenChange`, and no other sequences.
///
/// Like real terminals, it blanks the other half of a wide character when one half is overwritten,
/// and its cursor stays in the last column.
struct TerminalModel {
  private(set) var cells: [[Cell]]
  private(set) var cursor = Position(row: 0, column: 0)
  private(set) var isCursorSeen = true
  /// The sequences that it could not interpret.
  private(set) var misunderstood: [String] = []
  private var style: Style = []

  /// A terminal whose content is unknown.
  init(_ size: ScreenSize) {
    cells = Array(repeating: Array(repeating: Cell("?"), count: size.columns), count: size.rows)
  }

  /// Whether it shows a screen.
  func shows(_ screen: Screen) -> Bool {
    guard screen.cursor == (isCursorSeen ? cursor : nil) else { return false }
    return cells.indices.allSatisfy { row in
      cells[row].indices.allSatisfy { cells[row][$0] == screen[row, $0] }
    }
  }

  mutating func obey(_ sequence: String) {
    // Scalars, since a mark would form one character with the last letter of a control sequence.
    for piece in sequence.unicodeScalars.split(separator: "\u{1B}") {
      guard piece.first == "[", let end = piece.firstIndex(where: \.properties.isAlphabetic) else {
        misunderstood.append("\(piece)")
        continue
      }
      obey(Character(piece[end]), String(piece[..<end].dropFirst()))
      for character in String(piece[piece.index(after: end)...]) { put(character) }
    }
  }

  private mutating func obey(_ letter: Character, _ words: String) {
    let numbers = words.split(separator: ";").compactMap { Int($0) }
    switch (letter, words) {
    case ("H", _) where numbers.count == 2:
      cursor = Position(row: numbers[0] - 1, column: numbers[1] - 1)
    case ("J", "2"):
      for row in cells.indices { for column in cells[row].indices { cells[row][column] = Cell(" ", style) } }
    case ("h", "?25"): isCursorSeen = true
    case ("l", "?25"): isCursorSeen = false
    case ("m", _):
      for number in numbers {
        switch number {
        case 0: style = []
        case 1: style.insert(.bold)
        case 2: style.insert(.dim)
        case 4: style.insert(.underlined)
        case 7: style.insert(.reversed)
        default: misunderstood.append("\(number)m")
        }
      }
    default: misunderstood.append(words + String(letter))
    }
  }

  private mutating func put(_ character: Character) {
    let columns = max(1, character.columns)
    guard cursor.column + columns <= cells[cursor.row].count else {
      misunderstood.append("\(character) has no room at \(cursor)")
      return
    }
    for column in cursor.column..<cursor.column + columns { blankOtherHalf(of: column) }
    cells[cursor.row][cursor.column] = Cell(character, style)
    if columns == 2 { cells[cursor.row][cursor.column + 1] = Cell(nil, style) }
    cursor.column += columns
  }

  private mutating func blankOtherHalf(of column: Int) {
    if cells[cursor.row][column].character == nil {
      cells[cursor.row][column - 1].character = " "
    } else if column + 1 < cells[cursor.row].count, cells[cursor.row][column + 1].character == nil {
      cells[cursor.row][column + 1].character = " "
    }
  }
}
