import FluxMiddleware
import Testing

@Suite("The text of values in a difference")
struct StateDifferenceTextTests {
  private func text<Value>(_ old: Value, _ new: Value, characters: Int = 60) -> String {
    StateDifference(from: old, to: new, limits: .init(characters: characters)).description
  }

  @Test("a line break in a string is escaped")
  func lineBreak() {
    #expect(text("a", "b\nc") == "\"a\" → \"b\\nc\"")
    #expect(text("a", "b\r\nc") == "\"a\" → \"b\\r\\nc\"")
    #expect(text("a", "b\u{2028}c") == "\"a\" → \"b\\u{2028}c\"")
  }

  @Test("other control characters are escaped")
  func controls() {
    #expect(text("a", "\t\u{1B}[31m\0\u{7F}\u{85}") == "\"a\" → \"\\t\\u{1B}[31m\\u{0}\\u{7F}\\u{85}\"")
  }

  @Test("characters that consist of several scalars are kept")
  func composed() {
    #expect(text("a", "👩‍👩‍👧‍👦 e\u{301}") == "\"a\" → \"👩‍👩‍👧‍👦 e\u{301}\"")
  }

  @Test("line breaks are escaped in keys, in elements, and in custom descriptions")
  func everywhere() {
    struct Titled: CustomStringConvertible { var description = "a" }
    #expect(text(["a\nb": 1], ["a\nb": 2]) == "[\"a\\nb\"]: 1 → 2")
    #expect(text(Set<String>(), ["a\nb"]) == "+ \"a\\nb\"")
    #expect(text(Titled(), Titled(description: "b\nc")) == "a → b\\nc")
  }

  @Test("a shortened string keeps its closing quotation mark")
  func closingQuote() {
    #expect(text("a", "bcdef", characters: 3) == "\"a\" → \"bcd…\"")
  }

  @Test("long texts with the same beginning are shortened around their first difference")
  func sameBeginning() {
    #expect(text("0123456789abcd", "0123456789xbcd", characters: 4) == "\"…89ab…\" → \"…89xb…\"")
    #expect(text(1_234_567, 1_234_568, characters: 3) == "…67 → …68")
  }

  @Test("a long text that continues where another ends is distinguished from it")
  func prefix() {
    #expect(text("012345", "0123456789", characters: 4) == "\"…45\" → \"…4567…\"")
  }

  @Test("long texts that differ at their beginning are shortened from the beginning")
  func differAtOnce() {
    #expect(text("a1234567", "b1234567", characters: 4) == "\"a123…\" → \"b123…\"")
  }

  @Test("long descriptions of values that cannot be compared are compared completely")
  func notEquatable() {
    enum Screen { case found(String) }
    let beginning = String(repeating: "x", count: 100)
    let difference = StateDifference(from: Screen.found(beginning + "a"), to: .found(beginning + "b"))
    #expect(difference.changes.count == 1)
    #expect(difference.changes.first?.old != difference.changes.first?.new)
  }
}
