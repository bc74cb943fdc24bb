import SampleTerminalViews
import Testing

@Suite("A screen of cells")
struct ScreenTests {
  private func screen(_ columns: Int, _ rows: Int, _ draw: (inout Screen) -> Void) -> Screen {
    var screen = Screen(ScreenSize(columns: columns, rows: rows))
    draw(&screen)
    return screen
  }

  @Test("text is written at its position, and cut at the end of its row or its frame")
  func writing() {
    let screen = screen(6, 3) { screen in
      #expect(screen.write("abc", row: 0, column: 2) == 5)
      #expect(screen.write("abcdefgh", row: 1) == 6)
      #expect(screen.write("abcdef", row: 2, column: 1, columns: 3) == 4)
    }
    #expect(screen.text == "  abc\nabcde…\n ab…")
  }

  @Test("nothing is written outside the screen", arguments: [(-1, 0), (2, 0), (0, -1), (0, 4)])
  func outside(row: Int, column: Int) {
    #expect(screen(4, 2) { $0.write("ab", row: row, column: column) } == screen(4, 2) { _ in })
  }

  @Test("a wide character takes two cells, and is not cut in half")
  func wide() {
    let screen = screen(4, 2) { screen in
      screen.write("東a", row: 0)
      screen.write("a東京", row: 1)
    }
    #expect(screen[0, 0].character == "東")
    #expect(screen[0, 1].character == nil)
    #expect(screen[0, 2].character == "a")
    #expect(screen.text == "東a\na東…")
  }

  @Test("control characters and separate marks do not reach the screen")
  func tame() {
    #expect(screen(6, 1) { $0.write("\u{1B}[2J\n", row: 0) }.text == "\u{FFFD}[2J\u{FFFD}")
    #expect(screen(6, 1) { $0.write("\u{301}a", row: 0) }.text == "\u{FFFD}a")
    #expect(screen(2, 1) { $0.write("\u{301}ab", row: 0) }.text.count == 2)
  }

  @Test("a row that is shown in another style keeps its characters")
  func restyling() {
    let screen = screen(3, 2) { screen in
      screen.write("ab", row: 0, .bold)
      screen.restyle(row: 0, .reversed)
      screen.restyle(row: 9, .reversed)
    }
    #expect(screen.text == "ab\n")
    #expect((0..<3).allSatisfy { screen[0, $0].style == .reversed })
    #expect((0..<3).allSatisfy { screen[1, $0].style == [] })
  }

  @Test("rectangles are cut off from others, up to the available size")
  func rectangles() {
    var rest = Rectangle(ScreenSize(columns: 10, rows: 5))
    #expect(rest.takeTop(2).size == ScreenSize(columns: 10, rows: 2))
    let bottom = rest.takeBottom(1)
    #expect(bottom.origin == Position(row: 4, column: 0))
    #expect(rest.takeLeft(4).size == ScreenSize(columns: 4, rows: 2))
    #expect(rest.origin == Position(row: 2, column: 4))
    #expect(rest.takeBottom(9).size == ScreenSize(columns: 6, rows: 2))
    #expect(rest.size.rows == 0)
  }
}
