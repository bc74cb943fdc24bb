/// The size of a screen or of a part of a screen.
package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// The position of a cell; the first row and the first column are 0.
package struct Position: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A part of a screen.
package struct Rectangle: Hashable, Sendable {
  package var origin: Position
  package var size: ScreenSize

  /// Creates a rectangle of a whole screen.
  package init(_ size: ScreenSize) {
    origin = Position(row: 0, column: 0)
    self.size = size
  }

  /// Removes at most the given number of rows at the top, and returns them.
  package mutating func takeTop(_ rows: Int) -> Rectangle {
    var taken = self
    taken.size.rows = max(0, min(rows, size.rows))
    origin.row += taken.size.rows
    size.rows -= taken.size.rows
    return taken
  }

  /// Removes at most the given number of rows at the bottom, and returns them.
  package mutating func takeBottom(_ rows: Int) -> Rectangle {
    var rest = self
    let taken = max(0, min(rows, size.rows))
    self = rest.takeTop(size.rows - taken)
    return rest
  }

  /// Removes at most the given number of columns at the left, and returns them.
  package mutating func takeLeft(_ columns: Int) -> Rectangle {
    var taken = self
    taken.size.columns = max(0, min(columns, size.columns))
    origin.column += taken.size.columns
    size.columns -= taken.size.columns
    return taken
  }
}
