import Flux
import SampleTerminalViews
import Testing

@Suite("Views on a screen") @MainActor
struct RendererTests {
  private let ledger = LedgerScreen()
  private var renderer: Renderer<Ledger.Side> { ledger.renderer }

  @Test("each view is drawn in its place, and its cursor is seen there")
  func first() {
    #expect(renderer.draw() == .init(panes: [.left, .right], cells: 2))
    #expect(renderer.screen?.text == "0    0")
    #expect(renderer.screen?.cursor == Position(row: 0, column: 6))
    #expect(ledger.sentTexts().count == 1)
  }

  @Test("a view is drawn again when its own props have changed, and just the cells that differ are sent")
  func change() {
    ledger.set(\.left, 100)
    renderer.draw()
    ledger.set(\.left, 101)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    ledger.set(\.right, 7)
    #expect(renderer.draw() == .init(panes: [.right], cells: 1))
    #expect(renderer.screen?.text == "101  7")
  }

  @Test("where nothing has changed nothing is drawn, and nothing is sent")
  func nothing() {
    renderer.draw()
    _ = ledger.sentTexts()
    ledger.set(\.left, 0)
    #expect(renderer.draw() == .init())
    #expect(ledger.sentTexts().isEmpty)
  }

  @Test("several changes before it is time to draw are drawn once, and asked for once")
  func several() {
    renderer.draw()
    let before = ledger.wakes
    for number in 1...5 { ledger.set(\.left, number) }
    #expect(ledger.wakes == before + 1)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    ledger.set(\.left, 6)
    #expect(ledger.wakes == before + 2)
  }

  @Test("a view that was drawn again without a change asks once for the next one")
  func afterSize() {
    renderer.draw()
    ledger.set(\.size, ScreenSize(columns: 12, rows: 1))
    renderer.draw()
    let before = ledger.wakes
    ledger.set(\.left, 1)
    #expect(ledger.wakes == before + 1)
  }

  @Test("a view that has nothing to show is empty, until it has something again")
  func noProps() {
    renderer.draw()
    ledger.set(\.left, -1)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    #expect(renderer.screen?.text == "     0")
    #expect(!renderer.press(.tab))
    ledger.set(\.left, 3)
    renderer.draw()
    #expect(renderer.screen?.text == "3    0")
  }

  @Test("in another layout all that is seen is laid anew, and drawn again only where its size has changed")
  func layout() {
    renderer.draw()
    ledger.set(\.seen, [.right])
    #expect(renderer.draw() == .init(panes: [], cells: 1))
    #expect(renderer.screen?.text == "     0")
    ledger.set(\.left, 5)
    #expect(renderer.draw() == .init())
    ledger.set(\.seen, [.left, .right])
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    #expect(renderer.screen?.text == "5    0")
    ledger.set(\.size, ScreenSize(columns: 4, rows: 2))
    #expect(renderer.draw() == .init(panes: [.left, .right], cells: 2))
    #expect(renderer.screen?.text == "5 0\n")
  }

  @Test("what the terminal shows can be forgotten: all of it is sent again, and nothing drawn")
  func forgetting() {
    renderer.draw()
    renderer.forget()
    #expect(renderer.draw() == .init(panes: [], cells: 2))
    #expect(renderer.screen?.text == "0    0")
  }

  @Test("a key is for the first view that is seen and takes it, and is shown before the call returns")
  func keys() {
    renderer.draw()
    #expect(renderer.press(.character("+")))
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    #expect(renderer.screen?.text == "1    0")
    ledger.set(\.seen, [.right])
    #expect(renderer.press(.character("+")))
    renderer.draw()
    #expect(renderer.screen?.text == "     1")
    #expect(!renderer.press(.character("-")))
  }

  @Test("keys that come before the screen is drawn again act on what is there then")
  func fast() {
    renderer.draw()
    for _ in 0..<3 { renderer.press(.character("+")) }
    #expect(ledger.store.state.left == 3)
  }

  @Test("nothing is held by what it shows")
  func lifetime() {
    weak var store: Store<Ledger>?
    weak var renderer: Renderer<Ledger.Side>?
    do {
      let screen = LedgerScreen()
      screen.renderer.draw()
      (store, renderer) = (screen.store, screen.renderer)
    }
    #expect(store == nil)
    #expect(renderer == nil)
  }
}
