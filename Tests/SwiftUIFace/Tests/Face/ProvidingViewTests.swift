import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Providing stores to views") struct ProvidingViewTests {
  private let bodies = Bodies()

  @Test("a provider provides its store to the views within")
  func provider() {
    let store = makeStore(state: Notebook(title: "a", count: 7))
    let screen = Screen {
      StoreProvider(store: store) {
        CountView(bodies: bodies)
        TitleView(bodies: bodies)
      }
    }
    #expect(screen.text == ["7", "a", "clear"])
  }

  @Test("if several stores are available, a view uses the innermost one that has its state")
  func innermost() {
    let outer = makeStore(state: Notebook(count: 1))
    let inner = makeStore(state: Notebook(count: 2))
    let screen = Screen {
      VStack {
        CountView(bodies: bodies)
        CountView(bodies: bodies).provideStore(inner).provideStore(outer)
        CountView(bodies: bodies).provideStore(inner.proxy(for: \.title))
      }
      .provideStore(outer)
    }
    #expect(screen.text == ["1", "2", "1"])
  }

  @Test("drawing a provider again keeps the views within")
  func drawnAgain() {
    let store = makeStore()
    let screen = Screen {
      Parent(bodies) { _ in
        StoreProvider(store: store) {
          CountView(bodies: bodies).provideStore(store)
        }
      }
    }
    bodies.takeAll()
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
  }

  @Test("a view that a store is provided to keeps the store, and releases it when it is removed")
  func lifetime() {
    weak var store: Store<Notebook>?
    let screen = Screen {
      let made = makeStore(state: Notebook(count: 1))
      let _ = store = made
      CountView(bodies: bodies).provideStore(made)
    }
    #expect(store != nil)
    store?.dispatch(Increment())
    store.map { ActionDispatcher($0)(Nothing()) }
    screen.update()
    #expect(screen.text == ["2"])
    screen.close()
    #expect(store == nil)
  }

  @Test("a closure receives only the actions of the views within, and the innermost closure is called first")
  func onAction() {
    let store = makeStore(state: Notebook(title: "a"))
    let heard = Recorder<String>()
    let screen = Screen {
      VStack {
        TitleView(bodies: bodies)
          .onAction { action in
            heard.record("inner \(action)")
            return SetTitle(title: "b")
          }
        Parent(bodies) { _ in Text("not heard") }
      }
      .onAction { action in
        heard.record("outer \(action)")
        return action
      }
      .provideStore(store)
    }
    screen.press("clear")
    #expect(heard.values == [#"inner SetTitle(title: "")"#, #"outer SetTitle(title: "b")"#])
    #expect(store.state.title == "b")
  }

  @Test("a newly created closure receives the actions, and keeps the views within")
  func onActionMadeAnew() {
    struct Adder: View {
      @MappedDispatch var dispatch
      let bodies: Bodies

      var body: some View {
        let _ = bodies.record("adder")
        Button("add") { dispatch(Increment()) }
      }
    }
    let store = makeStore()
    let screen = Screen {
      Parent(bodies) { number in
        Adder(bodies: bodies).onAction { _ in Increment(amount: number * 10) }
      }
      .provideStore(store)
    }
    screen.press("add")
    bodies.takeAll()
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
    screen.press("add")
    #expect(store.state.count == 30)
  }
}

/// A preview with its own store, as in Xcode.
private enum CountView_Previews: PreviewProvider {
  static var store: Store<Notebook> { makeStore(state: Notebook(count: 42)) }

  static var previews: some View {
    CountView(bodies: Bodies()).provideStore(store)
  }
}

@MainActor
@Suite("Previews") struct PreviewTests {
  @Test("a preview shows its own store, which lives as long as the preview and accepts actions")
  func preview() {
    let screen = Screen {
      CountView_Previews.previews
      NoteView(bodies: Bodies(), id: "1")
        .provideStore(makeStore(state: Notebook(notes: ["1": Note(text: "milk")])))
    }
    #expect(screen.text == ["42", "milk"])
  }
}
