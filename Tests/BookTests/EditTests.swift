import BookShelf
import Flux
import FluxTesting
import Testing

@Suite("Edits of books that show immediately")
struct BookEditTests {
  private let session = Session()

  @Test("a new title is shown immediately, and then confirmed")
  func rename() async {
    await session.type("shelf", "slow 300")
    let (task, lines) = await session.begin("rename 13 Emma Woodhouse", sleepers: 1)
    #expect(lines == ["  13  Emma Woodhouse · Jane Austen (1815)  … not saved yet"])
    #expect(
      await session.type("shelf").contains("  13  Emma Woodhouse · Jane Austen (1815)  … not saved yet"))
    session.clock.advance(by: .milliseconds(300))
    await task?.finished()
    #expect(session.lines() == ["  13  Emma Woodhouse · Jane Austen (1815)  kept"])
    await session.type("slow 0")
    #expect(await session.type("reload").contains("  13  Emma Woodhouse · Jane Austen (1815)"))
  }

  @Test("a refused edit is undone, and the reason is shown")
  func refused() async {
    await session.type("shelf", "fail changes")
    #expect(
      await session.type("rename 13 Anne") == [
        "  13  Anne · Jane Austen (1815)  … not saved yet",
        "! No change is accepted, as you requested. It was undone:", "  13  Emma · Jane Austen (1815)",
      ])
    let before = await session.type("shelf")
    await session.type("fail changes")
    #expect(await session.type("remove 26").last == "  26  Moby-Dick · Herman Melville (1851)")
    #expect(await session.type("shelf") == before)
  }

  @Test("of two edits of one book, only the refused one is undone")
  func two() async {
    await session.type("shelf", "slow 300", "fail changes")
    let (first, _) = await session.begin("rename 13 First", sleepers: 1)
    let (second, _) = await session.begin("rename 13 Second", sleepers: 2)
    session.clock.advance(by: .milliseconds(300))
    await first?.finished()
    await second?.finished()
    #expect(session.app.store.state.shelf.items[id: 13]?.title == "Second")
    #expect(!session.app.store.state.shelf.hasUnconfirmedChanges)
  }

  @Test("a removed book stays removed, and is not counted anymore")
  func remove() async {
    await session.type("all")
    #expect(
      await session.type("remove 3") == ["   3  is taken out  … not saved yet", "   3  is out for good"])
    #expect(await session.type("all").last == "  11 of 45 books. Type more for more.")
    let lines = await session.type("reload")
    #expect(!numbers(in: lines).contains(3))
    #expect(lines.last == "  11 of 45 books. Type more for more.")
    #expect(await session.type("more", "more", "more").last == "  That is all: 45 books.")
  }

  @Test("an edit in one list is visible in the other list when that list is shown")
  func otherList() async {
    await session.type("all", "more", "shelf", "rename 13 Emma Woodhouse", "all", "more")
    #expect(session.app.store.state.books.items[id: 13]?.title == "Emma Woodhouse")
    await session.type("remove 13", "shelf")
    #expect(session.app.store.state.shelf.items[id: 13] == nil)
  }

  @Test("a book that is not shown, or an edit before any list is shown, is reported in one line")
  func trouble() async {
    let nothing = ["! Nothing is shown yet. Type shelf, all, sections or together."]
    for line in ["rename 1 x", "remove 1", "more", "reload", "refresh", "invalidate"] {
      #expect(await session.type(line) == nothing)
    }
    await session.type("shelf")
    for line in ["rename 2 x", "remove 99", "remove -1"] {
      #expect(await session.type(line).first?.hasPrefix("! This screen has no book ") == true, "\(line)")
    }
  }
}
