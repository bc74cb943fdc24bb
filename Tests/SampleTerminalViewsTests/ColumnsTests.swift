import SampleTerminalViews
import Testing

@Suite("The width of text")
struct ColumnsTests {
  @Test(
    "a character takes one column, a wide one takes two, and a mark takes none",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("│", 1), ("♥", 1), ("…", 1), ("م", 1), ("東", 2), ("한", 2),
      ("ｗ", 2), ("、", 2),
      ("🎬", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤️", 2), ("𠀋", 2), ("\u{301}", 0), ("\u{7}", 0),
    ] as [(Character, Int)])
  func characters(character: Character, columns: Int) {
    #expect(character.columns == columns)
  }

  @Test("a text that is too long is cut so that an ellipsis fits")
  func cut() {
    #expect("abc".cut(to: 3) == "abc")
    #expect("abcd".cut(to: 3) == "ab…")
    #expect("東京都".cut(to: 6) == "東京都")
    #expect("東京都".cut(to: 5) == "東京…")
    #expect("東京都".cut(to: 4) == "東…")
    #expect("abc".cut(to: 1) == "…")
    #expect("abc".cut(to: 0) == "")
    #expect("".cut(to: 0) == "")
  }

  @Test("lines are broken between words, and within words that are too long")
  func wrapped() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one two three".wrapped(to: 6) == ["one", "two", "three"])
    #expect("a abcdefgh b".wrapped(to: 3) == ["a", "abc", "def", "gh", "b"])
    #expect("東京 都".wrapped(to: 4) == ["東京", "都"])
    #expect("東京都".wrapped(to: 3) == ["東", "京", "都"])
    #expect("  two  spaces ".wrapped(to: 20) == ["two spaces"])
    #expect("".wrapped(to: 5) == [])
    #expect("abc".wrapped(to: 1) == [])
  }
}
