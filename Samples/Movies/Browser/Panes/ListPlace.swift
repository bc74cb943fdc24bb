/// The selection and the scroll position in a list that can have more rows than the screen.
package struct ListPlace: Equatable, Sendable {
  /// A movement in the list.
  package enum Step: Equatable, Sendable {
    case up, down, pageUp, pageDown, first, last
  }

  /// The index of the selected element, counted from 0.
  package var cursor = 0
  /// The index of the element in the first row.
  package var top = 0

  package init(cursor: Int = 0, top: Int = 0) {
    self.cursor = cursor
    self.top = top
  }

  /// Returns a copy that is moved by a step, and scrolled only as far as needed to show the
  /// selected element.
  ///
  /// - Parameters:
  ///   - step: The movement.
  ///   - rows: The number of visible elements.
  ///   - count: The number of all elements.
  package func moved(_ step: Step, rows: Int, of count: Int) -> ListPlace {
    var place = self
    let page = max(1, rows - 1)
    switch step {
    case .up: place.cursor -= 1
    case .down: place.cursor += 1
    case .pageUp:
      place.cursor -= page
      place.top -= page
    case .pageDown:
      place.cursor += page
      place.top += page
    case .first: place.cursor = 0
    case .last: place.cursor = count - 1
    }
    return place.fitted(rows: rows, of: count)
  }

  /// Returns a copy that is adjusted so that the selected element exists and is visible.
  package func fitted(rows: Int, of count: Int) -> ListPlace {
    let rows = max(1, rows)
    let cursor = max(0, min(cursor, count - 1))
    let lowest = max(0, min(top, count - rows))
    return ListPlace(cursor: cursor, top: max(min(lowest, cursor), cursor - rows + 1))
  }
}

// Logs show this description as the new value of a `SetPane` action.

extension ListPlace: CustomDebugStringConvertible {
  package var debugDescription: String { "\(cursor) from \(top)" }
}
