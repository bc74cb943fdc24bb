import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Stores and dispatchers in the environment") struct EnvironmentViewTests {
  private struct Adder: View {
    @Environment(\.actionDispatcher) private var dispatch
    let bodies: Bodies

    var body: some View {
      let _ = bodies.record("adder")
      Button("add") { dispatch(Increment()) }
    }
  }

  private struct Reader: View {
    @Environment(\.store) private var store

    var body: some View {
      Text(store.unwrap(as: Notebook.self)?.state?.title ?? "no notebook")
      Text(store.unwrap(as: (any HasTitle).self)?.state?.title ?? "no title")
    }
  }

  private let bodies = Bodies()

  @Test("a view dispatches by the environment's dispatcher, to the store that was provided last")
  func dispatching() {
    let (outer, inner) = (makeStore(), makeStore())
    let screen = Screen {
      VStack {
        Adder(bodies: bodies)
        CountView(bodies: bodies)
      }
      .provideStore(inner)
      .provideStore(outer)
    }
    screen.press("add")
    #expect(screen.text == ["add", "1"], "what it dispatches is shown before the call returns")
    #expect([outer.state.count, inner.state.count] == [0, 1])
  }

  @Test("drawing an enclosing view again keeps a view with a dispatcher of the environment")
  func drawnAgain() {
    let stores = [makeStore(), makeStore()]
    let screen = Screen {
      Parent(bodies) { number in
        Adder(bodies: bodies).onAction { $0 }.provideStore(stores[number / 3])
      }
    }
    bodies.takeAll()
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
    screen.press("next")
    #expect(bodies.takeAll() == ["parent", "adder"], "another store is another dispatcher")
    screen.press("add")
    #expect(stores.map(\.state.count) == [0, 1])
  }

  @Test("the store of the environment returns a state that a store has, and nothing else")
  func unwrapping() {
    let store = makeStore(state: Notebook(title: "a"))
    #expect(Screen { Reader() }.text == ["no notebook", "no title"])
    #expect(Screen { Reader().provideStore(store) }.text == ["a", "a"])
    #expect(Screen { Reader().provideStore(store.proxy(for: \.count)) }.text == ["no notebook", "no title"])
  }

  @Test("the stores of one view are provided unchanged to another view")
  func passingOn() {
    struct Sheet<Content: View>: View {
      @Environment(\.store) private var store
      let content: Content
      let outside: (AnyView) -> Void

      var body: some View {
        let _ = outside(AnyView(content.provideStore(store)))
        Text("sheet")
      }
    }
    let store = makeStore(state: Notebook(count: 3))
    var sheet: AnyView?
    _ = Screen { Sheet(content: CountView(bodies: bodies), outside: { sheet = $0 }).provideStore(store) }
    #expect(Screen { sheet }.text == ["3"])
  }

  @Test("an environment may receive other stores")
  func setting() {
    let store = makeStore(state: Notebook(count: 3))
    let screen = Screen {
      CountView(bodies: bodies).environment(\.store, ProvidedStores().providing(store))
    }
    #expect(screen.text == ["3"])
  }
}
