import Flux
import MovieBrowser
import SampleTerminalViews
import TestSupport
import Testing

@Suite("Loading on the screen of panes", .unlessItHangs) @MainActor
struct PanesLoadingTests {
  private let missing = MovieServiceError(.missing, "There is no such page.")

  @Test("enough pages are loaded to fill the screen and the next, and more when the user approaches the end")
  func ahead() async {
    let session = await PanesSession.showing("40 films")
    #expect(session.state.pages.count == 2)
    await session.press(.down)
    #expect(session.state.queries.pendingRequests == 0)
    await session.press(.pageDown)
    await session.wait(for: "60 films")
    #expect(session.state.pages.count == 3)
    await session.press(.end)
    await session.wait(for: "80 films")
    let large = await PanesSession.showing("100 films", columns: 200, rows: 50)
    #expect(large.state.pages.count == 5)
  }

  @Test("an error is shown in place of the page, and r tries again")
  func retry() async {
    let service = ScriptedService([2: [.fail(missing), .hold]])
    let session = await PanesSession.showing("! There is no such page. (r tries", service)
    await service.asked(for: 2)
    await session.press(.down, .character("w"), .character("r"))
    await session.wait(for: " loading page 2 of 3 …")
    await service.asked(for: 2)
    service.release()
    await session.wait(for: "6 films")
    #expect(session.state.marks.wished == [2])
    #expect(session.state.panes.place.cursor == 1)
  }

  @Test("during another attempt the screen shows the reason and the attempt")
  func tries() async {
    let failing = MovieServiceError(.failing, "The server has a cold.")
    let session = PanesSession(ScriptedService([2: [.fail(failing), .hold]]))
    await session.wait(for: " loading page 2 of 3, try 2 of 4 …")
    #expect(session.text.contains("\n The server has a cold."))
  }

  @Test(
    "esc and Ctrl-C stop a load, and otherwise have another effect",
    arguments: [Key.escape, .control("c")])
  func stopping(key: Key) async {
    let service = ScriptedService([2: [.hold]])
    let session = await PanesSession.showing("loading page 2", service)
    await service.asked(for: 2)
    await session.press(key)
    await session.wait(for: "! Loading was stopped. (r tries again)")
    #expect(!session.screen.isLeaving)
    await session.press(key)
    #expect(session.screen.isLeaving == (key == .control("c")))
    await session.press(.character("r"))
    await session.wait(for: "6 films")
    #expect(service.cancelled == [2])
  }

  @Test("a search waits for a page that is loading, and does not request it again")
  func findWhileLoading() async {
    let service = ScriptedService([2: [.hold]])
    let session = await PanesSession.showing("loading page 2", service)
    await service.asked(for: 2)
    await session.press(.character("/"), .character("5"))
    service.release()
    await session.wait(for: "1 found of 6")
    #expect(service.calls == [1, 2, 3])
  }

  @Test("leaving the search keeps its last request, whose page the list then includes")
  func leavingSearch() async {
    let service = ScriptedService([2: [.fail(missing)], 3: [.hold]])
    let session = await PanesSession.showing("(r tries", service)
    await session.press(.character("/"))
    await service.asked(for: 3)
    await session.press(.escape)
    service.release()
    await session.wait(for: "6 films")
    #expect(service.calls == [1, 2, 2, 3])
    #expect(service.cancelled.isEmpty)
  }

  @Test("the load of a search can be stopped, too: the matches remain, and r continues")
  func stoppingFind() async {
    let service = ScriptedService([3: [.fail(missing), .hold]])
    let session = await PanesSession.showing("(r tries", service)
    await service.asked(for: 3)
    await session.press(.character("/"), .character("4"))
    await service.asked(for: 3)
    await session.wait(for: " 1 found · loading page 3 of 3 …")
    await session.press(.control("c"))
    await session.wait(for: " ! Loading was stopped. (r tries again)")
    #expect(session.text.contains("›   4"))
    await session.press(.enter, .character("r"))
    await session.wait(for: "1 found of 6")
    #expect(session.state.display.find?.text == "4")
  }

  @Test("if not all films could be searched, a line says so, and r tries again with the same text")
  func findRetry() async {
    let service = ScriptedService([3: [.fail(missing), .fail(missing)]])
    let session = await PanesSession.showing("(r tries", service)
    await service.asked(for: 3)
    await session.press(.character("/"), .character("f"))
    await service.asked(for: 3)
    // The screen shows the first error until it shows the second request.
    await session.press()
    await session.wait(for: "!")
    await session.wait(for: "›   1")
    await session.press(.enter, .character("r"))
    await session.wait(for: "6 found of 6")
    #expect(session.state.display.find?.text == "f")
  }
}
