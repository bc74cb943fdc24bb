import MovieBrowser
import SampleTerminal
import Testing

@Suite("Commands that a typed line contains")
struct CommandTests {
  @Test(
    "each command is understood",
    arguments: [
      ("list", Command.list), ("next", .next), ("back", .back), ("open 7", .open(7)),
      ("wish 12", .wish(12)),
      ("seen 260", .seen(260)), ("search dream", .search("dream")), ("find", .find), ("lists", .lists),
      ("undo", .undo),
      ("redo", .redo),
      ("help", .help),
      ("quit", .quit), ("exit", .quit),
    ])
  func eachCommand(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test("a line of only spaces is empty", arguments: ["", " ", "\t", "   \t  "])
  func nothing(line: String) throws {
    #expect(try Command(line) == .nothing)
  }

  @Test("the verb may be in capitals", arguments: ["LIST", "List", "lIsT"])
  func capitals(line: String) throws {
    #expect(try Command(line) == .list)
  }

  @Test("space before, between and after words does not matter")
  func space() throws {
    #expect(try Command("  open \t 7  ") == .open(7))
  }

  @Test("the words of a search are joined by single spaces, with their capitals")
  func searchWords() throws {
    #expect(try Command("search  Georges \t MÉLIÈS ") == .search("Georges MÉLIÈS"))
  }

  @Test("a number may be zero, negative, or the largest possible, since the parser does not look up films")
  func numbers() throws {
    #expect(try Command("open 0") == .open(0))
    #expect(try Command("open -3") == .open(-3))
    #expect(try Command("open \(Int.max)") == .open(.max))
  }

  @Test("words after help and quit are ignored")
  func ignoredWords() throws {
    #expect(try Command("help me") == .help)
    #expect(try Command("quit now") == .quit)
  }

  @Test(
    "an unknown command is quoted as it was typed, with a hint about help",
    arguments: ["dance", "DANCE", "7", "quıt", "открыть", "list,"])
  func unknown(verb: String) {
    #expect(message(of: verb) == "There is no command \"\(verb)\". Type help to see all commands.")
    #expect(message(of: "\(verb) 7") == "There is no command \"\(verb)\". Type help to see all commands.")
  }

  @Test(
    "a command without arguments refuses any argument",
    arguments: ["list", "next", "back", "find", "lists", "undo", "redo"])
  func tooMuch(verb: String) {
    #expect(message(of: "\(verb) 2") == "\"\(verb)\" takes no arguments.")
  }

  @Test("a command for one film requires its number", arguments: ["open", "wish", "seen"])
  func noNumber(verb: String) {
    #expect(message(of: verb) == "Type the number of a film, for example: \(verb) 7")
    #expect(message(of: "\(verb) 1 2") == "Type only one number, for example: \(verb) 7")
  }

  @Test(
    "an argument that is not a number is quoted",
    arguments: ["x", "1.5", "1e3", "٣", "9223372036854775808", "0x10"])
  func notANumber(word: String) {
    #expect(message(of: "open \(word)") == "\"\(word)\" is not the number of a film. For example: open 7")
  }

  @Test("a search requires words")
  func noWords() {
    #expect(message(of: "search") == "Type the text to search for, for example: search dream")
  }

  private func message(of line: String) -> String? {
    do throws(Misunderstanding) {
      _ = try Command(line)
      return nil
    } catch {
      return error.text
    }
  }
}
