import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Mapped states and dispatchers of views") struct MappedViewTests {
  private struct FormView: View {
    @MappedState private var form: LoginForm
    @MappedDispatch() private var dispatch
    let bodies: Bodies

    var body: some View {
      let _ = bodies.record("form")
      Text(form.email)
      Button("add") { dispatch(BindingAction(\LoginForm.email, form.email + "!")) }
    }
  }

  private struct AnyTitleView: View {
    @MappedState var titled: any HasTitle
    @Dispatcher var dispatch: ActionDispatcher
    let bodies: Bodies

    var body: some View {
      let _ = bodies.record("title")
      Text(titled.title)
      Button("clear") { dispatch(SetTitle(title: "")) }
    }
  }

  private func show(_ store: Store<Notebook>, _ bodies: Bodies) -> Screen {
    let form = store.proxy(for: \.form)
    return Screen {
      VStack {
        FormView(bodies: bodies)
        AnyTitleView(bodies: bodies)
      }
      .provideStore(form)
      .provideStore(store)
    }
  }

  @Test("a body that reads a state runs again when the state changes, or else with each delivery")
  func counting() {
    let bodies = Bodies()
    let store = makeStore(state: Notebook(title: "a"))
    let screen = show(store, bodies)
    #expect(screen.text == ["", "add", "a", "clear"])
    bodies.takeAll()
    ActionDispatcher(store)(Increment())
    screen.update()
    #expect(bodies.takeAll() == ["title"])
    screen.press("add")
    #expect(bodies.takeAll() == ["form", "title"])
    screen.press("clear")
    #expect(screen.text == ["!", "add", "", "clear"])
  }

  @Test("a read of the state between two drawings, as by a button, does not prevent the next drawing")
  func reading() {
    let store = makeStore()
    let screen = show(store, Bodies())
    store.dispatch(BindingAction(\LoginForm.email, "a"))
    screen.press("add")
    #expect(screen.text.first == "!", "the button went by what was on show")
    store.dispatch(BindingAction(\LoginForm.email, "b"))
    store.dispatch(SetTitle(title: "c"))
    ActionDispatcher(store)(Nothing())
    screen.update()
    #expect(screen.text == ["b", "add", "c", "clear"])
  }

  @Test("drawing an enclosing view again keeps a mapped view and its connection")
  func parentDrawnAgain() {
    let bodies = Bodies()
    let store = makeStore()
    let form = store.proxy(for: \.form)
    let screen = Screen {
      Parent(bodies) { number in
        Text("\(number)")
        FormView(bodies: bodies)
      }
      .provideStore(form)
    }
    bodies.takeAll()
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
    screen.press("add")
    #expect(screen.text == ["next", "2", "!", "add"])
    #expect(bodies.takeAll() == ["form"])
  }

  @Test("another provided store is shown, and receives the actions")
  func otherStore() {
    let bodies = Bodies()
    let stores = ["a", "b"].map { makeStore(state: Notebook(title: $0)) }
    let screen = Screen {
      Parent(bodies) { AnyTitleView(bodies: bodies).provideStore(stores[$0 - 1]) }
    }
    #expect(screen.text == ["next", "a", "clear"])
    screen.press("next")
    #expect(screen.text == ["next", "b", "clear"])
    screen.press("clear")
    #expect(stores.map(\.state.title) == ["a", ""])
  }
}
