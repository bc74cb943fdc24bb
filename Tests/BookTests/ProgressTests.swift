import BookShelf
import Flux
import FluxTesting
import TestSupport
import Testing

@Suite("The printed changes of books")
struct BookProgressTests {
  @Test(
    "the output is the same after each change as after several changes together",
    arguments: [
      ["shelf"], ["all", "more"], ["all", "fail books", "more"], ["all", "fail books", "refresh"],
      ["all", "reload"], ["fail songs", "together"], ["sections", "more"], ["shelf", "rename 13 Anne"],
      ["shelf", "remove 13"], ["shelf", "fail changes", "rename 13 Anne"],
    ])
  func coalesced(lines: [String]) async throws {
    let session = Session()
    for line in lines.dropLast() { await session.type(line) }
    await session.type("slow 300")
    let states = Recorder<ShelfState>()
    let token = session.app.store.subscribe { states.record($0) }
    let isEdit = lines.last?.hasPrefix("re") == true && lines.last != "reload" && lines.last != "refresh"
    let isTogether = lines.last == "together"
    let (task, _) = await session.begin(try #require(lines.last), sleepers: isEdit ? 1 : isTogether ? 4 : 2)
    session.clock.advance(by: .milliseconds(300))
    await task?.finished()
    token.cancel()
    let told = states.values
    let (first, last) = (try #require(told.first), try #require(told.last))
    let each = zip(told, told.dropFirst()).compactMap { text(from: $0, to: $1) }.joined(separator: "\n")
    #expect(told.count > 2)
    #expect(text(from: first, to: last) == each)
  }

  @Test("a state that is delivered twice prints nothing the second time")
  func same() {
    #expect(text(from: ShelfState(), to: ShelfState()) == nil)
  }

  @Test("the operation that is to fail is described in words")
  func failing() async {
    let session = Session()
    #expect(await session.type("fail books") == ["  The next load of books will fail."])
    #expect(await session.type("fail songs 3") == ["  The next 3 loads of songs will fail."])
    #expect(await session.type("fail changes") == ["  The next change will fail."])
    #expect(await session.type("fail changes 2") == ["  The next 2 changes will fail."])
    #expect(await session.type("fail changes 0") == ["  No changes will fail."])
  }

  @Test("books in sections, and next to songs")
  func one() async {
    let session = Session(SmallService(titles: ["Only"]))
    #expect(await session.type("shelf").last == "  That is all: 1 book.")
    #expect(await session.type("all").last == "  That is all: 1 book.")
  }

  private func text(from old: ShelfState, to new: ShelfState) -> String? {
    describeChange(from: old, to: new) { _ in [] }
  }
}
