import BookShelf
import Flux
import FluxTesting
import Testing

@Suite("Books in sections, and beside songs")
struct BookSectionTests {
  private let session = Session()

  @Test("books are grouped by author, in the order of each author's first book")
  func byAuthor() async {
    await session.type("all", "more")
    let headings = await session.type("sections").filter { $0.hasSuffix(")") && numbers(in: [$0]).isEmpty }
    #expect(headings.prefix(3) == ["Miguel de Cervantes (1)", "John Bunyan (1)", "Daniel Defoe (2)"])
    #expect(headings.contains("Jane Austen (5)"))
  }

  @Test("more books go to the existing sections, and to new ones")
  func more() async {
    #expect(await session.type("sections").contains("Jane Austen (3)"))
    let lines = await session.type("more")
    #expect(lines.contains("Jane Austen (5)"))
    #expect(lines.contains("Mary Shelley (1)"))
  }

  @Test("centuries are numbered as usual")
  func centuries() async {
    await session.type("all", "more", "more", "more")
    let lines = await session.type("sections century")
    #expect(
      lines.filter { $0.contains("century (") }
        == ["17th century (2)", "18th century (7)", "19th century (36)", "20th century (1)"])
  }

  @Test("the last section shows that more books could not be loaded")
  func failingMore() async {
    await session.type("sections century", "fail books")
    let lines = await session.type("more")
    #expect(lines.contains("18th century (7)"))
    #expect(lines.contains("19th century (3, there was trouble)"))
  }

  @Test("an unconfirmed edit is marked in its section, too")
  func unconfirmed() async {
    await session.type("sections", "slow 300")
    let (task, _) = await session.begin("rename 10 Other", sleepers: 1)
    #expect(await session.type("sections").contains("  10  Other · Jane Austen (1811)  … not saved yet"))
    session.clock.advance(by: .milliseconds(300))
    await task?.finished()
    #expect(await session.type("sections").contains("  10  Other · Jane Austen (1811)"))
  }

  @Test("when the books fail to load, the songs are shown, and vice versa", arguments: ["books", "songs"])
  func alone(topic: String) async {
    await session.type("fail \(topic)")
    let lines = await session.type("together")
    let (failed, loaded) =
      topic == "books" ? ("Books (failed)", "Songs (7)") : ("Songs (failed)", "Books (12)")
    #expect(lines.contains(failed))
    #expect(lines.contains(loaded))
    #expect(
      lines.contains("! The \(topic) could not be loaded, as you requested. Type refresh to try again."))
    // Showing a list again loads only the lists that failed.
    #expect(await session.type("together").first == "  loading \(topic) …")
  }

  @Test("more loads more books and more songs, while there are more of each")
  func moreOfBoth() async {
    await session.type("together")
    let first = await session.type("more")
    #expect(first.first == "  loading more books and more songs …")
    #expect(first.contains("Songs (12)"))
    #expect(first.contains("  That is all: 12 songs."))
    #expect(await session.type("more").first == "  loading more books …")
    await session.type("more")
    #expect(await session.type("more") == ["  That is all."])
  }

  @Test("both lists are shown when both are loaded, in either order")
  func once() async {
    for _ in 1...20 {
      let lines = await Session().type("together")
      #expect(lines.filter { $0 == "Books and songs" || $0.contains("loading") }.count == 2)
    }
  }
}
