import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Connected modifiers") struct ModifierTests {
  private struct Titled: ConnectableViewModifier {
    let bodies: Bodies
    var prefix = ""

    func map(state: Notebook) -> String? {
      state.title.isEmpty ? nil : prefix + state.title
    }

    func body(props: String, content: Content) -> some View {
      let _ = bodies.record("modifier")
      Text(props)
      content
    }
  }

  @Test("a modifier shows its props with its content, and does not run the content's body")
  func counting() {
    let bodies = Bodies()
    let store = makeStore(state: Notebook(title: "a"))
    let screen = Screen {
      CountView(bodies: bodies).modifier(Titled(bodies: bodies, prefix: "the ")).provideStore(store)
    }
    #expect(screen.text == ["the a", "0"])
    bodies.takeAll()
    ActionDispatcher(store)(SetTitle(title: "b"))
    screen.update()
    #expect(screen.text == ["the b", "0"])
    #expect(bodies.takeAll() == ["modifier"])
    ActionDispatcher(store)(Increment())
    screen.update()
    #expect(screen.text == ["the b", "1"])
    #expect(bodies.takeAll() == ["count"])
  }

  @Test("a modifier with nil props shows nothing, and not its content either")
  func nothing() {
    let bodies = Bodies()
    let store = makeStore()
    let screen = Screen { Text("text").modifier(Titled(bodies: bodies)).provideStore(store) }
    #expect(screen.text == [])
    ActionDispatcher(store)(SetTitle(title: "a"))
    screen.update()
    #expect(screen.text == ["a", "text"])
  }

  @Test("a modifier binds actions")
  func bindings() {
    struct Emptied: ConnectableViewModifier {
      func map(state: Notebook, binder: ActionBinder) -> ActionBinding<@MainActor () -> Void>? {
        binder.bind(SetTitle(title: ""))
      }

      func body(props: ActionBinding<@MainActor () -> Void>, content: Content) -> some View {
        content
        Button("clear", action: props.wrappedValue)
      }
    }
    let bodies = Bodies()
    let store = makeStore(state: Notebook(title: "a"))
    let screen = Screen { TitleView(bodies: bodies).modifier(Emptied()).provideStore(store) }
    #expect(screen.text == ["a", "clear", "clear"])
    screen.press("clear")
    #expect(screen.text == ["", "clear", "clear"])
  }
}
