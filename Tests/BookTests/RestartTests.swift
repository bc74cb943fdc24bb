import BookShelf
import Flux
import FluxNavigation
import Foundation
import Testing

@Suite("Screens of books after a restart")
struct BookRestartTests {
  private let storage = InMemoryStorage()

  @Test("a restart shows the last screen, and back leads to the screen before it")
  func restart() async {
    let first = Session(storage: storage)
    await first.type("all", "sections century")
    #expect(first.app.close())
    let second = Session(storage: storage)
    #expect(await second.start().contains("Books by century"))
    #expect(second.app.store.state.routes.path.map(\.route) == [.all, .sections(.century)])
    #expect(await second.type("back").first == "All books")
  }

  @Test("an address replaces the saved screen as the first screen, and back leads to the saved screen")
  func address() async {
    let first = Session(storage: storage)
    await first.type("all")
    #expect(first.app.close())
    let second = Session(storage: storage)
    #expect(await second.start(at: .shelf).contains("The shelf"))
    #expect(await second.type("back").contains("All books"))
  }

  @Test("the first start shows no screen, and neither does a start after the welcome screen")
  func welcome() async {
    let first = Session(storage: storage)
    #expect(await first.app.start() == false)
    await first.type("shelf", "back")
    #expect(first.app.close())
    #expect(await Session(storage: storage).app.start() == false)
  }

  @Test("screens that cannot be read are reported in one line, and the program starts without them")
  func unreadable() async throws {
    try storage.write(Data("{".utf8), to: "screens.json")
    let session = Session(storage: storage)
    let lines = session.lines()
    #expect(lines.count == 1 && lines[0].hasPrefix("! screens"))
    #expect(session.app.store.state.screen == .welcome)
  }
}
