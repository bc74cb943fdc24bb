import SampleTerminalViews
import TestSupport
import Testing

@Suite("Decoding the keys that a terminal sends")
struct KeyDecoderTests {
  /// The keys of bytes that arrive in pieces, when no input follows for a short time.
  private func keys(_ pieces: [UInt8]...) -> [Key] { keys(pieces) }

  private func keys(_ pieces: [[UInt8]]) -> [Key] {
    var decoder = KeyDecoder()
    return pieces.flatMap { decoder.feed($0) } + decoder.flush()
  }

  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  @Test(
    "letters are keys, also beyond ASCII",
    arguments: [("a", "a"), ("é", "é"), ("東", "東"), ("🎬", "🎬"), (" ", " ")])
  func characters(text: String, character: Character) {
    #expect(keys(text) == [.character(character)])
  }

  @Test(
    "other keys have names",
    arguments: [
      ("\r", Key.enter), ("\n", .enter), ("\t", .tab), ("\u{1B}", .escape), ("\u{7F}", .backspace),
      ("\u{8}", .backspace), ("\u{3}", .control("c")), ("\u{15}", .control("u")), ("\u{1B}[A", .up),
      ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}OA", .up), ("\u{1B}OH", .home),
      ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}[F", .end),
      ("\u{1B}[4~", .end),
      ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab),
      ("\u{1B}[1;5A", .up), ("\u{1B}[5;2~", .pageUp), ("\u{1B}OM", .enter),
    ])
  func names(text: String, key: Key) {
    #expect(keys(text) == [key])
  }

  @Test(
    "keys without a meaning are ignored, with their whole sequences",
    arguments: [
      "\u{1B}OP", "\u{1B}[15~", "\u{1B}[[A", "\u{1B}[200~", "\u{1B}[M", "\u{1B}[?1;2c", "\u{0}", "\u{1C}", "",
    ])
  func others(text: String) {
    #expect(keys(text).isEmpty)
    #expect(keys(text + "x") == [.character("x")])
  }

  @Test("the input of a terminal may be cut anywhere")
  func cut() {
    let text = "aé東🎬\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[1;5C\r\u{3}z"
    let bytes = Array(text.utf8)
    let whole = keys(bytes)
    #expect(whole.count == 11)
    for cut in bytes.indices {
      #expect(keys(Array(bytes[..<cut]), Array(bytes[cut...])) == whole, "cut at \(cut)")
    }
    #expect(keys(bytes.map { [$0] }) == whole)
  }

  @Test("esc is a key only when nothing follows for a short time")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.feed(Array("[A".utf8)) == [.character("["), .character("A")])
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.feed(Array("[A".utf8)) == [.up])
    #expect(decoder.flush().isEmpty)
  }

  @Test("esc and a letter that arrive together are two keys")
  func escapeAndLetter() {
    #expect(keys("\u{1B}q") == [.escape, .character("q")])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
  }

  @Test("the rest of a cut character is awaited, however long it takes")
  func cutCharacter() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0xE6, 0x9D]).isEmpty)
    #expect(!decoder.isWaiting)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.feed([0xB1]) == [.character("東")])
  }

  @Test("bytes that are not a character are shown as such, and the following input is kept")
  func invalid() {
    #expect(keys([0xE6, 0x9D, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(keys([0xFF, 0x80, 0x61]) == [.character("\u{FFFD}"), .character("\u{FFFD}"), .character("a")])
    #expect(keys([0xC3], [0x1B], Array("[A".utf8)) == [.character("\u{FFFD}"), .up])
    #expect(keys([0xED, 0xA0, 0x80, 0x61]) == [.character("\u{FFFD}"), .character("a")])
    #expect(keys([0xE0, 0x80, 0x80]) == [.character("\u{FFFD}")])
  }

  @Test("after any bytes, the next key is understood")
  func anything() {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      var decoder = KeyDecoder()
      let special: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0xE6, 0x9D]
      for _ in 0..<40 {
        let byte = Bool.random(using: &random) ? special.randomElement(using: &random) : nil
        _ = decoder.feed([byte ?? UInt8.random(in: 0...255, using: &random)])
      }
      _ = decoder.flush()
      #expect(decoder.feed(Array("\u{1B}[A".utf8)).last == .up, "seed \(seed)")
    }
  }
}
