import Flux
import FluxNavigation
import SwiftUI
import Testing

@MainActor
@Suite("Sources/FluxNavigation/FluxNavigation.docc/NavigationViews.md")
struct NavigationViewsGuideTests {
  private let store = Store(
    reducer: { (_: inout LibraryState, _) in }, plugins: [routing.plugin], state: LibraryState())

  @Test("its stack shows a pushed book, and the back button removes it")
  func stack() {
    let screen = Screen { LibraryView().provideStore(store) }
    screen.press("Book 7")
    #expect(screen.text == ["About book 7"])
    screen.goBack()
    #expect(screen.text == ["Book 7", "Filter"])
    #expect(store.state.routes.path.isEmpty)
  }

  @Test("its sheet has its own stack, and closing it dismisses it")
  func sheet() {
    let screen = Screen { LibraryView().provideStore(store) }
    screen.press("Filter")
    #expect(screen.text == ["Book 7", "Filter", "Filter"])
    ActionDispatcher(store)(routing.push(.book(8)))
    screen.update()
    #expect(screen.text == ["Book 7", "Filter", "About book 8"])
    screen.closeModal()
    #expect(store.state.routes.modals.isEmpty)
  }

  @Test("its alert closes after its button")
  func alert() {
    let screen = Screen { LibraryView().provideStore(store) }
    ActionDispatcher(store)(routing.present(.list, as: .alert))
    screen.update()
    screen.press("Remove")
    #expect(screen.text == ["Book 7", "Filter"])
    #expect(store.state.routes.modals.isEmpty)
  }

  @Test("its tabs keep their stacks")
  func tabs() {
    let store = Store(
      reducer: { (_: inout TabsState, _) in }, plugins: [tabRouting.plugin], state: TabsState())
    let screen = Screen { TabsView().provideStore(store) }
    ActionDispatcher(store)(tabRouting.push(.book(7)))
    screen.update()
    screen.select(tab: "Wishes")
    #expect(screen.text == ["wishes"])
    screen.select(tab: "Books")
    #expect(screen.text == ["About book 7"])
  }
}
