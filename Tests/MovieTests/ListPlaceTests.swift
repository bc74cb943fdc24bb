import MovieBrowser
import Testing

@Suite("A position in a list")
struct ListPlaceTests {
  private func place(_ cursor: Int, _ top: Int) -> ListPlace { ListPlace(cursor: cursor, top: top) }

  @Test("a step scrolls only as far as needed to show the new position")
  func steps() {
    #expect(place(0, 0).moved(.down, rows: 3, of: 9) == place(1, 0))
    #expect(place(2, 0).moved(.down, rows: 3, of: 9) == place(3, 1))
    #expect(place(3, 1).moved(.up, rows: 3, of: 9) == place(2, 1))
    #expect(place(1, 1).moved(.up, rows: 3, of: 9) == place(0, 0))
  }

  @Test("no step leaves the list")
  func ends() {
    #expect(place(0, 0).moved(.up, rows: 3, of: 9) == place(0, 0))
    #expect(place(8, 6).moved(.down, rows: 3, of: 9) == place(8, 6))
    #expect(place(7, 6).moved(.pageDown, rows: 3, of: 9) == place(8, 6))
    #expect(place(1, 0).moved(.pageUp, rows: 3, of: 9) == place(0, 0))
  }

  @Test("a page keeps one row of the previous page, and the first and last rows are one step away")
  func pages() {
    #expect(place(0, 0).moved(.pageDown, rows: 4, of: 20) == place(3, 3))
    #expect(place(3, 3).moved(.pageUp, rows: 4, of: 20) == place(0, 0))
    #expect(place(5, 3).moved(.last, rows: 4, of: 20) == place(19, 16))
    #expect(place(5, 3).moved(.first, rows: 4, of: 20) == place(0, 0))
  }

  @Test("from any position, the selected row exists and is visible, and no row is empty unnecessarily")
  func fitting() {
    for count in 0...6 {
      for rows in 0...4 {
        for cursor in -2...8 {
          for top in -2...8 {
            let fitted = place(cursor, top).fitted(rows: rows, of: count)
            let seen = fitted.top..<(fitted.top + max(1, rows))
            #expect(seen.contains(fitted.cursor), "\(cursor) from \(top), \(rows) rows of \(count)")
            #expect(fitted.cursor == max(0, min(cursor, count - 1)))
            #expect(fitted.top >= 0 && fitted.top <= max(0, count - max(1, rows)))
            #expect(fitted.fitted(rows: rows, of: count) == fitted)
          }
        }
      }
    }
  }
}
