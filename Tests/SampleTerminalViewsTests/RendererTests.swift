import Flux
import SampleTerminalViews
import Testing

@Suite("Views on a screen") @MainActor
struct RendererTests {
  private let ledger = LedgerScreen()
  private var renderer: Renderer<Ledger.Side> { ledger.renderer }

  @Test("each view is drawn in its frame, and its cursor is shown there")
  func first() {
    #expect(renderer.draw() == .init(panes: [.left, .right], cells: 2))
    #expect(renderer.screen?.text == "0    0")
    #expect(renderer.screen?.cursor == Position(row: 0, column: 6))
    #expect(ledger.sentTexts().count == 1)
  }

  @Test("a view is drawn again when its own props have changed, and only the cells that differ are sent")
  func change() {
    ledger.set(\.left, 100)
    renderer.draw()
    ledger.set(\.left, 101)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    ledger.set(\.right, 7)
    #expect(renderer.draw() == .init(panes: [.right], cells: 1))
    #expect(renderer.screen?.text == "101  7")
  }

  @Test("without changes nothing is drawn, and nothing is sent")
  func nothing() {
    renderer.draw()
    _ = ledger.sentTexts()
    ledger.set(\.left, 0)
    #expect(renderer.draw() == .init())
    #expect(ledger.sentTexts().isEmpty)
  }

  @Test("several changes before the next drawing are drawn once, and request one drawing")
  func several() {
    renderer.draw()
    let before = ledger.wakes
    for number in 1...5 { ledger.set(\.left, number) }
    #expect(ledger.wakes == before + 1)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    ledger.set(\.left, 6)
    #expect(ledger.wakes == before + 2)
  }

  @Test("a view that was drawn again without a change requests one drawing for its next change")
  func afterSize() {
    renderer.draw()
    ledger.set(\.size, ScreenSize(columns: 12, rows: 1))
    renderer.draw()
    let before = ledger.wakes
    ledger.set(\.left, 1)
    #expect(ledger.wakes == before + 1)
  }

  @Test("a view without props is empty until it has props again")
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

  @Test(
    "in another layout all visible views are placed again, and drawn again only if their size has changed")
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

  @Test("after the terminal's content is forgotten, all cells are sent again, and nothing is drawn")
  func forgetting() {
    renderer.draw()
    renderer.forget()
    #expect(renderer.draw() == .init(panes: [], cells: 2))
    #expect(renderer.screen?.text == "0    0")
  }

  @Test(
    "a key goes to the first visible view that accepts it, and its effect is shown before the call returns")
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

  @Test("keys that arrive before the next drawing act on the present state")
  func fast() {
    renderer.draw()
    for _ in 0..<3 { renderer.press(.character("+")) }
    #expect(ledger.store.state.left == 3)
  }

  @Test("a key acts on the present state, even if the views have not received that state yet")
  func undelivered() {
    renderer.draw()
    // While a batch is open, the views receive no state.
    ledger.store.batch {
      ledger.set(\.left, -1)
      #expect(renderer.press(.character("+")))
    }
    #expect(ledger.store.state.left == -1)
    #expect(ledger.store.state.right == 1)
  }

  @Test("a key goes to a view that is visible in the present state, even if the layout is older")
  func undeliveredLayout() {
    renderer.draw()
    ledger.store.batch {
      ledger.set(\.seen, [.right])
      #expect(renderer.press(.character("+")))
      ledger.set(\.seen, [])
      #expect(!renderer.press(.character("+")))
    }
    #expect(ledger.store.state.left == 0)
    #expect(ledger.store.state.right == 1)
  }

  @Test("after a key, a view whose props have changed requests one drawing, and is drawn once")
  func undeliveredDrawing() {
    renderer.draw()
    let before = ledger.wakes
    ledger.store.batch {
      ledger.set(\.left, 4)
      renderer.press(.character("+"))
    }
    #expect(ledger.wakes == before + 1)
    #expect(renderer.draw() == .init(panes: [.left], cells: 1))
    #expect(renderer.screen?.text == "5    0")
  }

  @Test("a released screen releases its store and its renderer")
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
