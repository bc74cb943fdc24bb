import Flux
import FluxTesting
import Foundation
import MovieBrowser
import SampleTerminalViews
import TestSupport
import Testing

@Suite("The screen of panes", .unlessItHangs) @MainActor
struct PanesTests {
  private static let allLoaded = "40 films loaded"

  private func expected(_ name: String) throws -> String {
    let file = Bundle.module.bundleURL.appendingPathComponent("Expected/Panes/\(name).txt")
    let text = try String(contentsOf: file, encoding: .utf8)
    return String(text.dropLast())
  }

  // MARK: Appearance

  @Test(
    "it matches its recording, in any size",
    arguments: [
      (80, 24, "40 films"), (40, 12, "20 films"), (120, 10, "20 films"), (30, 8, "20 films"), (29, 8, "Too"),
      (80, 10, "20 films"),
    ])
  func looks(columns: Int, rows: Int, text: String) async throws {
    let session = await PanesSession.showing(text, columns: columns, rows: rows)
    await session.press(.down, .character("w"), .character("s"))
    #expect(session.text == (try expected("list-\(columns)x\(rows)")))
    await session.press(.enter)
    #expect(session.text == (try expected("film-\(columns)x\(rows)")))
    await session.press(.character("?"))
    #expect(session.text == (try expected("help-\(columns)x\(rows)")))
  }

  @Test("the README shows the screen as it is")
  func readme() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 1...3 { package.deleteLastPathComponent() }
    let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```\n" + (try expected("list-80x10")) + "\n```"))
  }

  @Test("nothing is drawn before the size is known, and a new size is used immediately")
  func sizes() async {
    let session = PanesSession(columns: 0, rows: 0)
    session.screen.renderer.draw()
    #expect(session.screen.renderer.screen == nil)
    await session.resize(80, 24)
    await session.wait(for: Self.allLoaded)
    await session.resize(20, 4)
    #expect(session.text.hasPrefix("Too small"))
    await session.press(.down)
    await session.resize(80, 24)
    #expect(session.text.contains("›   1"))
  }

  // MARK: Drawing

  @Test("a move by one film draws the list and the film, and sends only the cells that differ")
  func moving() async {
    let session = await PanesSession.showing("6 films", ScriptedService())
    let frame = await session.press(.down)
    // Two rows of the list are shown in another style, and the film's number appears five times.
    #expect(frame == .init(panes: [.list, .detail], cells: 2 * 40 + 5))
    #expect(await session.press(.up) == frame)
  }

  @Test("a key that changes nothing draws nothing")
  func idle() async {
    let session = await PanesSession.showing(Self.allLoaded)
    #expect(await session.press(.up, .left, .control("x"), .delete) == .init())
  }

  @Test("a mark draws the row, the film, and the counts: three panes, and few cells")
  func marking() async {
    let session = await PanesSession.showing(Self.allLoaded)
    // The sign in the list, the count above the list, and "♥ to see", whose space already exists.
    #expect(
      await session.press(.character("w")) == .init(panes: [.list, .detail, .header], cells: 1 + 1 + 6))
  }

  @Test("typed text draws only the search field, until films are found")
  func typing() async {
    let clock = ManualClock()
    let session = await PanesSession.showing(Self.allLoaded, clock: clock)
    await session.loadAll()
    await session.press(.character("/"))
    #expect(await session.type("k") == .init(panes: [.search], cells: 1))
    #expect(await session.type("u") == .init(panes: [.search], cells: 1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(200))
    let panes = await session.wait(for: "found of 260")
    #expect(panes == [.list, .detail])
  }

  @Test("a page that arrives draws only the list")
  func loading() async {
    let service = ScriptedService([2: [.hold]])
    let session = await PanesSession.showing("loading page 2 of 3", service)
    await service.asked(for: 2)
    service.release()
    #expect(await session.wait(for: "6 films") == [.list, .keys])
  }

  // MARK: Keys

  @Test("every key is an action, which the log describes in a few words")
  func actions() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.down, .character("w"), .tab, .tab, .character("u"))
    await session.press(.character("?"), .escape, .character("q"))
    #expect(
      session.actions() == [
        "Panes.place = 1 from 0", "ToggleWish(film: 2)",
        "Panes.focus = detail",
        "Panes.focus = list", "History: undo", "Panes.isHelpShown = true",
        "Panes.isHelpShown = false", "Panes.isLeaving = true",
      ])
    #expect(session.screen.isLeaving)
  }

  @Test("undo and redo affect only marks, whatever was done meanwhile, and describe changes out of view")
  func undo() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("w"), .down, .down, .tab)
    await session.press(.character("u"))
    #expect(session.state.marks.wished == [])
    #expect(session.state.panes.place.cursor == 2)
    #expect(session.state.panes.focus == .detail)
    #expect(session.text.hasSuffix(" film 1 is off the wish list"))
    await session.press(.control("r"))
    #expect(session.state.marks.wished == [1])
    await session.press(.control("r"))
    #expect(session.text.hasSuffix(" There is no mark to redo."))
    await session.press(.left)
    #expect(session.text.hasSuffix(" ^R redo"))
  }

  @Test("undoing a visible mark needs no description")
  func undoInSight() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("s"), .character("u"))
    #expect(session.state.marks.seen == [])
    #expect(session.text.hasSuffix(" ^R redo"))
  }

  @Test("the twenty-first wish is refused, with a message until the next key")
  func wishLimit() async {
    let session = await PanesSession.showing(Self.allLoaded)
    for _ in 0..<21 { await session.press(.character(" "), .down) }
    await session.press(.up, .character(" "))
    #expect(session.state.marks.wished.count == 20)
    #expect(session.text.hasSuffix(" Twenty films are enough. Take one off the wish list first."))
    await session.resize(40, 12)
    #expect(session.text.hasSuffix(" Twenty films are enough. Take one off\n the wish list first."))
    await session.press(.up)
    #expect(!session.text.contains("Twenty"))
  }

  @Test("a long description scrolls to its end and no further, and another film starts at the top")
  func scrolling() async {
    let session = await PanesSession.showing("20 films", columns: 40, rows: 9)
    await session.press(.enter)
    for _ in 0..<50 { await session.press(.down) }
    #expect(session.text.contains("┃ living beneath its crust."))
    await session.press(.up)
    #expect(!session.text.contains("crust."))
    await session.press(.escape, .down, .enter)
    #expect(session.text.contains("┃ The Story of the Kelly Gang"))
  }

  // MARK: Search

  @Test("a search lists the matches; Enter keeps them, and Esc lists all films, with the same film selected")
  func finding() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("/"))
    await session.type("kurosawq")
    await session.press(.backspace, .character("a"))
    await session.waitForMatches()
    await session.wait(for: "3 found of 260")
    await session.press(.down, .enter)
    #expect(session.state.panes.focus == .list)
    #expect(session.text.contains("›  56    Seven Samurai"))
    await session.press(.escape)
    #expect(session.text.contains("›  56    Seven Samurai"))
    #expect(session.text.contains("  55    Rear Window"))
    #expect(session.text.contains("260 films"))
  }

  @Test(
    "a selection made before the newest matches arrive is kept, and further typing selects the best match")
  func movingWhileFinding() async {
    let clock = ManualClock()
    let session = await PanesSession.showing(Self.allLoaded, clock: clock)
    await session.loadAll()
    func find() async {
      await clock.sleepers(atLeast: 1)
      let found = session.browser.store.values { $0.display.find?.found.text }
      let text = session.state.display.find?.text
      clock.advance(by: .milliseconds(200))
      for await newest in found where newest == text { break }
      await session.press(.delete)
    }
    await session.press(.down, .down, .character("/"))
    #expect(session.text.contains("260 films"))
    await session.type("kurosaw")
    await find()
    #expect(session.text.contains("›  48    Rashomon"))
    await session.press(.character("a"), .down)
    await find()
    #expect(session.text.contains("›  56    Seven Samurai"))
    await session.press(.backspace)
    #expect(session.text.contains("›  48    Rashomon"))
    await find()
    #expect(session.text.contains("›  48    Rashomon"))
  }

  @Test("Esc returns from the film to the matches, and from there to all films")
  func escapes() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("/"))
    await session.type("kurosawa")
    await session.wait(for: "3 found of 260")
    await session.press(.enter, .enter, .escape)
    #expect(session.state.panes.focus == .list)
    #expect(session.text.contains("3 found of 260"))
    await session.press(.escape)
    #expect(session.text.contains("260 films"))
  }

  @Test("each key acts on the effects of the previous key, even if the panes have not received them")
  func undelivered() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("/"))
    await session.type("kurosawa")
    await session.wait(for: "3 found of 260")
    // While a batch is open, the panes receive no state, as when another thread delivers.
    session.browser.store.batch {
      for key in [Key.enter, .enter, .escape] { session.screen.press(key) }
      #expect(session.state.panes.focus == .list)
      #expect(session.state.display.find?.text == "kurosawa")
      for key in [Key.enter, .character("/"), .character("x")] { session.screen.press(key) }
      #expect(session.state.display.find?.text == "kurosawax")
      session.screen.press(.escape)
      #expect(session.state.display.find == nil)
    }
    await session.wait(for: "260 films")
  }

  @Test("in the search field letters are text, and text is deleted by word or as a whole")
  func editing() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("/"))
    await session.type("qw ?/ju")
    #expect(session.text.contains(" Find: qw ?/ju\n"))
    #expect(session.screen.renderer.screen?.cursor == Position(row: 1, column: 14))
    await session.press(.control("w"))
    #expect(session.text.contains(" Find: qw\n"))
    await session.press(.control("u"))
    #expect(session.text.contains(" Find:\n"))
    #expect(session.state.marks.wished.isEmpty)
    await session.press(.escape)
    #expect(session.screen.renderer.screen?.cursor == nil)
  }

  @Test("without matches the list says so")
  func nothingFound() async {
    let session = await PanesSession.showing(Self.allLoaded)
    await session.press(.character("/"))
    await session.type("zyzzyva")
    await session.wait(for: "nothing found")
    await session.press(.enter, .down, .character("w"), .enter)
    #expect(session.state.marks.wished.isEmpty)
  }

  @Test("pages that arrive during a search keep the user's film selected")
  func findingMore() async {
    let service = ScriptedService([3: [.hold]])
    let session = await PanesSession.showing("loading page 3", service)
    await service.asked(for: 3)
    await session.press(.character("/"))
    await session.type("film")
    let found = session.browser.store.values { $0.display.find?.found.text }
    for await text in found where text == "film" { break }
    await session.press(.down, .down)
    #expect(session.text.contains("›   3"))
    service.release()
    await session.wait(for: "6 found of 6")
    #expect(session.text.contains("›   3"))
  }
}
