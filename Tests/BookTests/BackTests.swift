import BookShelf
import Flux
import FluxNavigation
import Testing

@Suite("Screens of books, and the way back")
struct BookBackTests {
  private let session = Session()

  private var path: [ShelfState.Screen] { session.app.store.state.routes.path.map(\.route) }

  @Test("back shows the previous screen again, without another load")
  func back() async {
    await session.type("all", "shelf")
    #expect(path == [.all, .shelf])
    let lines = await session.type("back")
    #expect(lines.first == "All books")
    #expect(path == [.all])
  }

  @Test("a list that was invalidated is loaded when back shows it")
  func loads() async {
    await session.type("all", "invalidate", "shelf")
    #expect(await session.type("back").first == "  loading books …")
  }

  @Test("back from the first screen shows the welcome screen, and then there is no way back")
  func first() async {
    await session.type("shelf")
    #expect(await session.type("back").first == "shelf            show the shelf, which loads as a whole")
    #expect(await session.type("back") == ["! There is no screen to go back to."])
  }

  @Test("a screen that is shown again moves to the top, and is in the way back once")
  func again() async {
    await session.type("all", "shelf", "sections author", "all")
    #expect(path == [.shelf, .sections(.author), .all])
    await session.type("all")
    #expect(path == [.shelf, .sections(.author), .all])
  }
}
