import BookShelf
import SampleTerminal
import Testing

@Suite("Commands about books")
struct BookCommandTests {
  @Test(
    "each command is understood",
    arguments: [
      ("shelf", Command.show(.shelf)), ("  ALL ", .show(.all)), ("more", .more),
      ("sections", .show(.sections(.author))), ("sections Century", .show(.sections(.century))),
      ("together", .show(.together)), ("back", .back), ("reload", .reload), ("refresh", .refresh),
      ("invalidate", .invalidate), ("rename 7  A  new name", .rename(7, "A new name")),
      ("remove 7", .remove(7)), ("fail books", .fail(.books, times: 1)),
      ("fail changes 3", .fail(.changes, times: 3)), ("fail songs 0", .fail(.songs, times: 0)),
      ("slow 300", .slow(milliseconds: 300)), ("stop", .stop), ("", .nothing), (" \t", .nothing),
      ("help", .help), ("quit", .quit), ("exit", .quit),
    ])
  func understood(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test(
    "an invalid line produces one clear line",
    arguments: [
      ("dance", "There is no command \"dance\". Type help to see all commands."),
      ("shelf 1", "\"shelf\" takes no arguments."), ("back 2", "\"back\" takes no arguments."),
      ("sections title", "Type sections author or sections century."),
      ("rename", "Type the number of a book, for example: rename 13 Emma"),
      ("rename x y", "\"x\" is not the number of a book. For example: rename 13 Emma"),
      ("rename 13", "Give it which title? For example: rename 13 Emma"),
      ("remove", "Type the number of a book, for example: remove 13"),
      ("remove 1 2", "Type only one number, for example: remove 13"),
      (
        "remove 99999999999999999999",
        "\"99999999999999999999\" is not the number of a book. For example: remove 13"
      ),
      ("fail", "Type fail shelf, fail books, fail songs, or fail changes."),
      ("fail everything", "Type fail shelf, fail books, fail songs, or fail changes."),
      ("fail books often", "Type a number from 0 to 1000, for example: fail books 3"),
      ("fail books -1", "Type a number from 0 to 1000, for example: fail books 3"),
      ("slow", "Type a number of milliseconds from 0 to 60000, for example: slow 300"),
      ("slow -1", "Type a number of milliseconds from 0 to 60000, for example: slow 300"),
      ("slow 60001", "Type a number of milliseconds from 0 to 60000, for example: slow 300"),
    ])
  func misunderstood(line: String, text: String) {
    let error = #expect(throws: Misunderstanding.self) { try Command(line) }
    #expect(error?.text == text)
  }

  @Test("control characters of a typed line are not written back to the terminal")
  func tame() {
    let error = #expect(throws: Misunderstanding.self) { try Command("da\u{1B}[2Jnce") }
    #expect(error?.text == "There is no command \"da\u{FFFD}[2Jnce\". Type help to see all commands.")
    let long = #expect(throws: Misunderstanding.self) {
      try Command(String(repeating: "x", count: 999))
    }
    #expect((long?.text.count ?? 999) < 120)
  }
}
