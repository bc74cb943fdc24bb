import SampleTerminal
import Testing

@Suite("A typed line")
struct TypedLineTests {
  @Test("a line of only spaces is empty", arguments: ["", " ", "\t", " \t \r"])
  func none(line: String) {
    #expect(TypedLine(line) == nil)
  }

  @Test("the verb is in small letters, and the words are unchanged")
  func words() throws {
    let line = try #require(TypedLine(" \t OPEN  My   File.txt \r"))
    #expect(line.verb == "open")
    #expect(line.words == ["My", "File.txt"])
    #expect(line.rest == "My   File.txt")
    #expect(try #require(TypedLine("list")).rest.isEmpty)
  }

  @Test("the words from a position on are joined by single spaces; if there are none, the line is refused")
  func text() throws {
    let line = try #require(TypedLine("edit 2  oat   milk"))
    #expect(try line.text(or: "?") == "2 oat milk")
    #expect(try line.text(from: 1, or: "?") == "oat milk")
    #expect(throws: Misunderstanding("What?")) { try line.text(from: 3, or: "What?") }
    #expect(throws: Misunderstanding("What?")) { try line.text(from: 9, or: "What?") }
  }

  @Test("a verb without arguments refuses arguments, and is quoted as it was typed")
  func alone() throws {
    #expect(try #require(TypedLine("list")).alone(7) == 7)
    let line = try #require(TypedLine("LIST\u{7} 7"))
    #expect(throws: Misunderstanding("\"LIST\u{FFFD}\" takes no arguments.")) { try line.alone(7) }
  }

  @Test("an unknown verb is quoted as it was typed, made safe, with a hint about help")
  func unknown() throws {
    #expect(
      try #require(TypedLine("Da\u{1B}nce")).noCommand.text
        == "There is no command \"Da\u{FFFD}nce\". Type help to see all commands.")
  }

  @Test("a line returns its first number, its only number, or all numbers")
  func numbers() throws {
    let line = try #require(TypedLine("move 3 to -1"))
    #expect(try line.firstNumber(of: "film", example: "") == 3)
    #expect(try line.numbers(of: "film", leavingOut: "to", example: "") == [3, -1])
    #expect(try #require(TypedLine("open 3")).onlyNumber(of: "film", from: 3, example: "") == 3)
  }

  @Test("a missing, superfluous, invalid, or too low number is reported with an example")
  func misunderstood() throws {
    let missing = Misunderstanding("Type the number of a film, for example: open 7")
    let open = try #require(TypedLine("open"))
    #expect(throws: missing) { try open.firstNumber(of: "film", example: "open 7") }
    #expect(throws: missing) { try open.onlyNumber(of: "film", example: "open 7") }
    #expect(throws: missing) { try open.numbers(of: "film", example: "open 7") }
    let two = try #require(TypedLine("open 1 to x"))
    #expect(throws: Misunderstanding("Type only one number, for example: open 7")) {
      try two.onlyNumber(of: "film", example: "open 7")
    }
    #expect(throws: Misunderstanding("\"x\" is not the number of a film. For example: open 7")) {
      try two.numbers(of: "film", leavingOut: "to", example: "open 7")
    }
    #expect(throws: Misunderstanding("\"1\" is not the number of a film. For example: open 7")) {
      try two.firstNumber(of: "film", from: 2, example: "open 7")
    }
  }
}
