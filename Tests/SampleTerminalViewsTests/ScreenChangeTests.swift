import SampleTerminalViews
import TestSupport
import Testing

@Suite("Output that a terminal receives")
struct ScreenChangeTests {
  private let size = ScreenSize(columns: 12, rows: 4)

  private func screen(_ lines: String..., cursor: Position? = nil) -> Screen {
    var screen = Screen(size)
    for (row, line) in lines.enumerated() { screen.write(line, row: row) }
    screen.cursor = cursor
    return screen
  }

  @Test("a screen that is already shown needs no output")
  func same() {
    let shown = screen("one", "東京", cursor: Position(row: 1, column: 4))
    let change = ScreenChange(from: shown, to: shown)
    #expect(change.sequence.isEmpty)
    #expect(change.cells == 0)
  }

  @Test("only cells that differ are written, without a jump between adjacent cells")
  func difference() {
    let change = ScreenChange(from: screen("abcdef", "same"), to: screen("abXYef", "same"))
    #expect(change.cells == 2)
    #expect(change.sequence == "\u{1B}[?25l\u{1B}[1;3HXY")
  }

  @Test("a terminal with an unknown screen is cleared, and then receives all cells that are not spaces")
  func unknown() {
    let change = ScreenChange(from: nil, to: screen("ab", "c"))
    #expect(change.cells == 3)
    #expect(change.sequence == "\u{1B}[?25l\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hab\u{1B}[2;1Hc")
    let other = Screen(ScreenSize(columns: 3, rows: 1))
    #expect(ScreenChange(from: other, to: screen("ab", "c")).sequence == change.sequence)
  }

  @Test("when only the cursor moves, no cell is written")
  func cursor() {
    let change = ScreenChange(from: screen("a"), to: screen("a", cursor: Position(row: 0, column: 1)))
    #expect(change.cells == 0)
    #expect(change.sequence == "\u{1B}[?25l\u{1B}[1;2H\u{1B}[?25h")
    let hidden = ScreenChange(from: screen("a", cursor: Position(row: 0, column: 1)), to: screen("a"))
    #expect(hidden.sequence == "\u{1B}[?25l")
  }

  @Test("no old text remains where an emoji is drawn that some terminals show in one column")
  func uncertain() {
    let sequence = ScreenChange(from: screen("ab"), to: screen("❤️")).sequence
    #expect(sequence == "\u{1B}[?25l\u{1B}[1;1H  \u{1B}[1;1H❤️")
  }

  @Test("after a character whose width differs between terminals, the position is sent explicitly")
  func afterUncertain() {
    let sequence = ScreenChange(from: screen(""), to: screen("e\u{301}x")).sequence
    #expect(sequence == "\u{1B}[?25l\u{1B}[1;1He\u{301}\u{1B}[1;2Hx")
  }

  @Test("from any screen, a conforming terminal shows the new screen, and the differing cells are counted")
  func anything() {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      var terminal = TerminalModel(size)
      var shown: Screen?
      for step in 0..<6 {
        let next = randomScreen(from: shown, using: &random)
        let change = ScreenChange(from: shown, to: next)
        terminal.obey(change.sequence)
        #expect(terminal.shows(next), "seed \(seed), step \(step): \(next.text)")
        #expect(terminal.misunderstood.isEmpty, "seed \(seed), step \(step)")
        #expect(change.cells == differences(shown, next), "seed \(seed), step \(step)")
        shown = next
      }
    }
  }

  private static let characters: [Character] = [
    "a", "b", " ", "é", "e\u{301}", "│", "東", "京", "👩‍👩‍👧", "❤️", "🇫🇷", "🇫", "ः", "\u{1161}", "\u{1100}", "👍🏽",
  ]

  private func randomScreen(from old: Screen?, using random: inout SeededGenerator) -> Screen {
    var screen = Screen(size)
    // Most of the screen remains, so that new characters overlap halves of old ones.
    if let old, Int.random(in: 0..<4, using: &random) > 0 { screen = old }
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      let text = String((0..<4).compactMap { _ in Self.characters.randomElement(using: &random) })
      let style = Style(rawValue: [0, 0, 1, 2, 8, 12].randomElement(using: &random) ?? 0)
      let row = Int.random(in: 0..<size.rows, using: &random)
      screen = redrawn(screen, row: row, text, at: Int.random(in: 0..<size.columns, using: &random), style)
    }
    screen.cursor =
      Bool.random(using: &random)
      ? Position(
        row: Int.random(in: 0..<size.rows, using: &random),
        column: Int.random(in: 0..<size.columns, using: &random)) : nil
    return screen
  }

  /// The screen with one of its rows drawn again, as views do, without covering half of a
  /// character.
  private func redrawn(_ old: Screen, row: Int, _ text: String, at column: Int, _ style: Style) -> Screen {
    var screen = Screen(size)
    for other in 0..<size.rows where other != row {
      for column in 0..<size.columns {
        guard let character = old[other, column].character else { continue }
        screen.write(String(character), row: other, column: column, old[other, column].style)
      }
    }
    screen.write(text, row: row, column: column, style)
    return screen
  }

  private func differences(_ old: Screen?, _ new: Screen) -> Int {
    let old = old ?? Screen(size)
    return (0..<size.rows).reduce(0) { count, row in
      count + (0..<size.columns).count { old[row, $0] != new[row, $0] }
    }
  }
}
