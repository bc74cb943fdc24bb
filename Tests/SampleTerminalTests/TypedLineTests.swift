import SampleTerminal
import Testing

@Suite("A typed line")
struct TypedLineTests {
  @Test("a line of nothing but space is none", arguments: ["", " ", "\t", " \t \r"])
  func none(line: String) {
    #expect(TypedLine(line) == nil)
  }

  @Test("the verb is in small letters, and the words are as they were typed")
  func words() throws {
    let line = try #require(TypedLine(" \t OPEN  My   File.txt \r"))
    #expect(line.verb == "open")
    #expect(line.words == ["My", "File.txt"])
    #expect(line.rest == "My   File.txt")
    #expect(try #require(TypedLine("list")).rest.isEmpty)
  }

  @Test("the words from one on are joined by single spaces; where there are none a question is asked")
  func text() throws {
    let line = try #require(TypedLine("edit 2  oat   milk"))
    #expect(try line.text(or: "?") == "2 oat milk")
    #expect(try line.text(from: 1, or: "?") == "oat milk")
    #expect(throws: Misunderstanding("What?")) { try line.text(from: 3, or: "What?") }
    #expect(throws: Misunderstanding("What?")) { try line.text(from: 9, or: "What?") }
  }

  @Test("a verb that stands alone refuses what stands after it, and is named as it was typed")
  func alone() throws {
    #expect(try #require(TypedLine("list")).alone(7) == 7)
    let line = try #require(TypedLine("LIST\u{7} 7"))
    #expect(throws: Misunderstanding("\"LIST\u{FFFD}\" takes nothing after it.")) { try line.alone(7) }
  }

  @Test("a verb that there is not is named as it was typed, tame, with the way to help")
  func unknown() throws {
    #expect(
      try #require(TypedLine("Da\u{1B}nce")).noCommand.text
        == "There is no command \"Da\u{FFFD}nce\". Type help for those there are.")
  }

  @Test("numbers are taken one, one only, or all")
  func numbers() throws {
    let line = try #require(TypedLine("move 3 to -1"))
    #expect(try line.firstNumber(of: "film", example: "") == 3)
    #expect(try line.numbers(of: "film", leavingOut: "to", example: "") == [3, -1])
    #expect(try #require(TypedLine("open 3")).onlyNumber(of: "film", from: 3, example: "") == 3)
  }

  @Test("what is missing, too much, no number or too low a number is said with an example")
  func misunderstood() throws {
    let missing = Misunderstanding("Say which film by its number, for example: open 7")
    let open = try #require(TypedLine("open"))
    #expect(throws: missing) { try open.firstNumber(of: "film", example: "open 7") }
    #expect(throws: missing) { try open.onlyNumber(of: "film", example: "open 7") }
    #expect(throws: missing) { try open.numbers(of: "film", example: "open 7") }
    let two = try #require(TypedLine("open 1 to x"))
    #expect(throws: Misunderstanding("One at a time, for example: open 7")) {
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
