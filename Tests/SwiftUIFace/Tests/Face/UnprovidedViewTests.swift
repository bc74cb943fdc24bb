import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Views without a store") struct UnprovidedViewTests {
  private let bodies = Bodies()

  private struct Titled: ConnectableViewModifier {
    func map(state: Notebook) -> String? { state.title }

    func body(props: String, content: Content) -> some View {
      Text(props)
      content
    }
  }

  @Test("a connected view shows nothing")
  func nothing() {
    let screen = Screen {
      NoteView(bodies: bodies, id: "1")
      CountView(bodies: bodies)
      TitleView(bodies: bodies)
      StoreConnector { (state: Notebook, _) in Text(state.title) }
      Text("text").modifier(Titled())
    }
    #expect(screen.text == [])
    #expect(bodies.count == 0)
  }

  @Test(
    "a connected view shows its props when a store is provided, and nothing when none is provided anymore")
  func providedLater() {
    let store = makeStore(state: Notebook(count: 7))
    let none = ProvidedStores()
    let screen = Screen {
      Parent(bodies) { number in
        CountView(bodies: bodies)
          .environment(\.providedStores, number == 2 ? none.providing(store) : none)
      }
    }
    #expect(screen.text == ["next"])
    screen.press("next")
    #expect(screen.text == ["next", "7"])
    ActionDispatcher(store)(Increment())
    screen.update()
    #expect(screen.text == ["next", "8"])
    screen.press("next")
    #expect(screen.text == ["next"])
    ActionDispatcher(store)(Increment())
    #expect(!screen.isWaiting, "it observes the store no more")
  }

  private func expect(
    _ result: ExitTest.Result?, says part: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains(part), "said: \(said)", sourceLocation: sourceLocation)
  }

  @Test("a mapped state, and a connected view without a store of its state, stop the program")
  func misuse() async {
    struct Titles: View {
      @MappedState var notebook: Notebook

      var body: some View { Text(notebook.title) }
    }
    let mapped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { _ = Screen { Titles() } }
    }
    expect(
      mapped,
      says: "a view requires a state of type Notebook, but the provided stores have states of types []")
    let connected = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let store = makeStore()
        _ = Screen { CountView(bodies: Bodies()).provideStore(store.proxy(for: \.count)) }
      }
    }
    expect(
      connected,
      says: "a view requires a state of type Notebook, but the provided stores have states of types [Int]")
  }
}
