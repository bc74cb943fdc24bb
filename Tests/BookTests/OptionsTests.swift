import BookShelf
import Foundation
import SampleTerminal
import Testing

@Suite("Options of books")
struct BookOptionsTests {
  @Test("all options are understood together")
  func all() throws {
    let options = try Options([
      "--server", "http://localhost:8000/b", "--delay", "300", "--fail", "songs", "--fail", "books", "--log",
    ])
    #expect(options.server?.absoluteString == "http://localhost:8000/b")
    #expect(options.delay == 300)
    #expect(options.failing == [.songs, .books])
    #expect(options.logs)
    #expect(!options.wantsHelp)
    #expect(options.service is HTTPBookService)
    #expect(try Options([]).service is BundledService)
    #expect(try Options(["-h"]).wantsHelp)
    #expect(try Options(["sections/century", "--log"]).screen == .sections(.century))
    #expect(try Options([]).screen == nil)
    #expect(try Options(["--data", "/shelf"]).data?.path == "/shelf")
  }

  @Test(
    "an invalid option is reported in one line",
    arguments: [
      (["--server"], "--server needs an address, as in --server http://localhost:8000"),
      (["--server", "ftp://x"], "--server needs an address, as in --server http://localhost:8000"),
      (["--delay", "-1"], "--delay needs a number of milliseconds from 0 to 60000."),
      (["--delay", "soon"], "--delay needs a number of milliseconds from 0 to 60000."),
      (["--fail", "3"], "--fail needs one of shelf, books, songs and changes."),
      (["--data"], "--data needs a folder."),
      (["--dance"], "There is no option \"--dance\"."),
      (["all", "shelf"], "Type only one address, for example: all"),
      (
        ["sections/title"],
        "There is no screen with the address \"sections/title\". For example: sections/century"
      ),
      (["welcome"], "There is no screen with the address \"welcome\". For example: sections/century"),
    ])
  func misunderstood(arguments: [String], text: String) {
    let error = #expect(throws: Misunderstanding.self) { try Options(arguments) }
    #expect(error?.text == text)
  }

  @Test("a failure that the user requested occurs the first time, and not the second time")
  func failing() async {
    let session = Session(failing: [.shelf])
    #expect(await session.type("shelf").last?.hasPrefix("! The shelf could not be loaded") == true)
    #expect(await session.type("shelf").last == "  That is all: 7 books.")
  }
}
