import SampleTerminal
import Testing

@Suite("Untrusted text")
struct TerminalTextTests {
  @Test(
    "control characters, bidirectional marks, and invisible characters are replaced",
    arguments: [
      "\u{1B}", "\u{7}", "\u{0}", "\u{7F}", "\u{9B}", "\r", "\n", "\t", "\u{2028}", "\u{2029}", "\u{202E}",
      "\u{2066}", "\u{200E}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{E0041}",
    ])
  func replaced(character: Unicode.Scalar) {
    #expect("a\(character)b".tame == "a\u{FFFD}b")
    #expect("👍\(character)é\(character)".tame == "👍\u{FFFD}é\u{FFFD}")
  }

  @Test(
    "text that is written with joiners and marks is unchanged",
    arguments: ["👩‍👩‍👧", "🏳️‍🌈", "👍🏽", "❤️", "می‌خواهم", "क्‍ष", "e\u{301}", "日本", "Ünï", "a b", ""])
  func left(text: String) {
    #expect(text.tame == text)
    #expect(text.quoted == "\"\(text)\"")
  }

  @Test("a joiner that joins nothing is replaced", arguments: ["\u{200D}", "\u{200C}"])
  func nothingToJoin(joiner: Unicode.Scalar) {
    #expect("a\(joiner)b \(joiner)1".tame == "a\u{FFFD}b \u{FFFD}1")
    #expect("\(joiner)é".tame == "\u{FFFD}é")
  }

  @Test("a text that was already made safe is unchanged")
  func twice() {
    let tame = "a\u{1B}[2J\r\nb\u{202E}".tame
    #expect(tame == "a\u{FFFD}[2J\u{FFFD}\u{FFFD}b\u{FFFD}")
    #expect(tame.tame == tame)
  }

  @Test("a quoted text is shortened to sixty characters, and made safe")
  func quoted() {
    let sixty = String(repeating: "x", count: 60)
    #expect(sixty.quoted == "\"\(sixty)\"")
    #expect((sixty + "y").quoted == "\"\(sixty)…\"")
    #expect("\u{1B}".quoted == "\"\u{FFFD}\"")
  }
}
