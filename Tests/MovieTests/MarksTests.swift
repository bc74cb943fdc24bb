import Flux
import Foundation
import MovieBrowser
import Testing

@Suite("The films that the user marks")
struct MarksTests {
  @Test("undo takes back the last mark and redo applies it again, whatever was loaded and shown meanwhile")
  func undo() async {
    let session = await Session.started()
    for line in ["wish 3", "next", "seen 25", "open 3"] { await session.type(line) }
    #expect(await session.type("undo") == ["  film 25 is no longer marked as seen"])
    #expect(await session.type("undo") == ["  film 3 is off the wish list"])
    #expect(session.belongings.pages.count == 2)
    #expect(await session.type("redo") == ["  film 3 is on the wish list"])
    #expect(await session.type("redo") == ["  film 25 is marked as seen"])
  }

  @Test("without a mark to undo or redo, one line says so")
  func nothingToUndo() async {
    let session = await Session.started()
    #expect(await session.type("undo") == ["! There is no mark to undo."])
    #expect(await session.type("redo") == ["! There is no mark to redo."])
    await session.type("wish 1")
    await session.type("undo")
    await session.type("wish 2")
    #expect(await session.type("redo") == ["! There is no mark to redo."])
  }

  @Test("at most twenty films can be wished for")
  func wishLimit() async {
    let session = await Session.started()
    for film in 1...20 { #expect(await session.type("wish \(film)").count == 1) }
    await session.type("next")
    #expect(
      await session.type("wish 21") == ["! Twenty films are enough. Take one off the wish list first."])
    #expect(session.belongings.marks.wished == Array(1...20))
    #expect(await session.type("wish 7") == ["  film 7 is off the wish list"])
    #expect(await session.type("wish 21") == ["  film 21 is on the wish list"])
  }

  @Test("marks are restored when the program starts again, in memory and in a folder")
  func keeping() async throws {
    let folder = try TemporaryFolder()
    for storage in [InMemoryStorage(), FileStorage(directory: folder.url)] as [any StateStorage] {
      let first = await Session.started(storage: storage)
      await first.type("wish 3")
      await first.type("seen 4")
      #expect(first.browser.close())
      let second = await Session.started(storage: storage)
      #expect(second.belongings.marks == first.belongings.marks)
      #expect(await second.type("wish 3") == ["  film 3 is off the wish list"])
    }
  }

  @Test("marked films on pages that are not loaded are shown by number, and can be unmarked")
  func notLoaded() async {
    let storage = InMemoryStorage()
    let first = await Session.started(storage: storage)
    for line in ["wish 3", "next", "wish 25", "seen 24"] { await first.type(line) }
    #expect(first.browser.close())
    let second = await Session.started(storage: storage, at: .page(1))
    let lists = await second.type("lists")
    #expect(lists.first == "To see")
    #expect(lists.dropFirst().first?.hasPrefix("   3  ") == true)
    #expect(
      lists.dropFirst(2) == ["      not loaded yet: 25", "Seen", "      not loaded yet: 24"])
    #expect(await second.type("wish 25") == ["  film 25 is off the wish list"])
    #expect(await second.type("seen 24") == ["  film 24 is no longer marked as seen"])
  }

  @Test("Marks that cannot be read are reported in one line and set aside, and the films are shown.")
  func unreadable() async throws {
    let storage = InMemoryStorage()
    try storage.write(Data("no marks".utf8), to: "marks.json")
    let session = Session(storage: storage)
    let lines = await session.start()
    #expect(lines.filter { $0.hasPrefix("! marks.json") }.count == 1, "\(lines.prefix(3))")
    #expect(lines.count == 23)
    // The session has reduced actions, so closing it saves its marks: none.
    #expect(session.browser.close())
    #expect(try Set(storage.names()) == ["marks.corrupt-1.json", "marks.json", "place.json"])
  }
}
