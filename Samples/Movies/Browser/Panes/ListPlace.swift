/// Where the user is in a list of which only some rows fit on the screen.
package struct ListPlace: Equatable, Sendable {
  /// A way to go.
  package enum Step: Equatable, Sendable {
    case up, down, pageUp, pageDown, first, last
  }

  /// Which element is chosen, from 0 on.
  package var cursor = 0
  /// Which element is in the first row.
  package var top = 0

  package init(cursor: Int = 0, top: Int = 0) {
    self.cursor = cursor
    self.top = top
  }

  /// The place after a step, with no more moved than is needed to see the element that is chosen.
  ///
  /// - Parameters:
  ///   - step: Where to go.
  ///   - rows: How many elements are seen.
  ///   - count: How many there are.
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

  /// The same place, so that there is such an element, and so that it is seen.
  package func fitted(rows: Int, of count: Int) -> ListPlace {
    let rows = max(1, rows)
    let cursor = max(0, min(cursor, count - 1))
    let lowest = max(0, min(top, count - rows))
    return ListPlace(cursor: cursor, top: max(min(lowest, cursor), cursor - rows + 1))
  }
}

// For the log, which tells what was set.

extension ListPlace: CustomDebugStringConvertible {
  package var debugDescription: String { "\(cursor) from \(top)" }
}
