import BookShelf
import Flux
import FluxTesting
import Testing

@Suite("Lists of books that load themselves")
struct BookLoadingTests {
  private let session = Session()

  @Test("the shelf is loaded as a whole, and has no further page")
  func shelf() async {
    let lines = await session.type("shelf")
    #expect(lines.prefix(2) == ["  loading books …", "The shelf"])
    #expect(numbers(in: lines) == [1, 5, 13, 15, 26, 31, 43])
    #expect(lines.last == "  That is all: 7 books.")
    #expect(await session.type("more") == ["  That is all."])
  }

  @Test("a loaded list is shown again without another load")
  func again() async {
    await session.type("all", "shelf")
    let lines = await session.type("all")
    #expect(lines.first == "All books")
    #expect(lines.last == "  12 of 46 books. Type more for more.")
  }

  @Test("more appends one page, shows the new books, and says where the end is")
  func more() async {
    await session.type("all")
    #expect(numbers(in: await session.type("more")) == Array(13...24))
    #expect(numbers(in: await session.type("more")) == Array(25...36))
    let last = await session.type("more")
    #expect(last.first == "  loading more books …")
    #expect(numbers(in: last) == Array(37...46))
    #expect(last.last == "  That is all: 46 books.")
    #expect(await session.type("more") == ["  That is all."])
  }

  @Test("a page that fails keeps the list, and can be requested again")
  func failingMore() async {
    await session.type("all", "fail books 2")
    for _ in 1...2 {
      #expect(
        await session.type("more") == [
          "  loading more books …",
          "! The books could not be loaded, as you requested. The 12 books stay; type more to try again.",
        ])
    }
    #expect(numbers(in: await session.type("more")) == Array(13...24))
  }

  @Test("a refresh that fails keeps the list, and a successful one begins with the first page")
  func refresh() async {
    await session.type("all", "more", "fail books")
    let failed = await session.type("refresh")
    #expect(numbers(in: failed) == Array(1...24))
    #expect(
      failed.last
        == "! The books could not be loaded, as you requested. "
        + "These books are the old ones; type refresh to try again."
    )
    #expect(numbers(in: await session.type("refresh")) == Array(1...12))
  }

  @Test("a reload that fails leaves an empty list, which is loaded again when it is shown")
  func reload() async {
    await session.type("shelf", "fail shelf")
    #expect(
      await session.type("reload") == [
        "  loading books …", "The shelf",
        "! The shelf could not be loaded, as you requested. Type refresh to try again.",
      ])
    #expect(numbers(in: await session.type("shelf")).count == 7)
  }

  @Test("a list that is invalid or older than five minutes is loaded when it is shown")
  func outOfDate() async {
    await session.type("shelf")
    #expect(await session.type("invalidate") == ["  Noted. Showing it again loads it."])
    #expect(await session.type("shelf").first == "  loading books …")
    #expect(await session.type("shelf").first == "The shelf")
    session.clock.advance(by: .seconds(299))
    #expect(await session.type("shelf").first == "The shelf")
    session.clock.advance(by: .seconds(1))
    #expect(await session.type("shelf").first == "  loading books …")
  }

  @Test("a slow answer is preceded by a line that says that the list is loading")
  func slow() async {
    #expect(await session.type("slow 300") == ["  Each answer takes 300 ms from now on."])
    let (task, lines) = await session.begin("shelf", sleepers: 2)
    #expect(lines == ["  loading books …"])
    session.clock.advance(by: .milliseconds(300))
    await task?.finished()
    #expect(session.lines().first == "The shelf")
  }

  @Test("a request that takes more than ten seconds times out")
  func timeout() async {
    await session.type("slow 20000")
    let (task, _) = await session.begin("shelf", sleepers: 2)
    session.clock.advance(by: .seconds(10))
    await task?.finished()
    #expect(session.lines() == ["The shelf", "! It timed out. Type refresh to try again."])
  }

  @Test(
    "stop and an empty line end a load, and keep the list", arguments: ["stop", ""])
  func stop(line: String) async {
    await session.type("all", "slow 300")
    let (more, _) = await session.begin("more", sleepers: 2)
    #expect(await session.type("more") == ["! A load is still running. Type stop to stop it."])
    await session.type(line)
    await more?.finished()
    #expect(session.app.store.state.books.items.count == 12)
    #expect(!session.app.isLoading)
    await session.type("slow 0")
    #expect(numbers(in: await session.type("more")) == Array(13...24))
  }

  @Test("when nothing is loading, stop says so, and an empty line prints nothing")
  func stopNothing() async {
    #expect(await session.type("stop") == ["! Nothing is being loaded."])
    #expect(await session.type("") == [])
  }

  @Test("help leaves the present list on the screen")
  func help() async {
    await session.type("shelf")
    #expect(await session.type("help").first == "shelf            show the shelf, which loads as a whole")
    #expect(numbers(in: await session.type("refresh")).count == 7)
  }

  @Test("after the user changes to another list, a late answer for the previous list is not shown")
  func leaving() async {
    await session.type("shelf", "slow 300")
    let (all, _) = await session.begin("all", sleepers: 2)
    #expect(await session.type("shelf").first == "The shelf")
    session.clock.advance(by: .milliseconds(300))
    await all?.finished()
    #expect(session.lines() == [])
    #expect(await session.type("all").first == "All books")
  }
}
