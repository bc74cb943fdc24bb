import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("SwiftUIFlux's connections of views") struct StoreConnectorTests {
  @Test("a connector shows a state, and dispatches by its function")
  func connector() {
    let store = makeStore(state: Notebook(title: "a"))
    let screen = Screen {
      StoreConnector { (state: any HasTitle, dispatch) in
        Text(state.title)
        Button("clear") { dispatch(SetTitle(title: "")) }
      }
      .provideStore(store)
    }
    #expect(screen.text == ["a", "clear"])
    screen.press("clear")
    ActionDispatcher(store)(Nothing())
    screen.update()
    #expect(screen.text == ["", "clear"])
  }

  @Test("a connected view renders a state without a store")
  func render() {
    let sent = Recorder<String>()
    let view = TitleView(bodies: Bodies())
    let screen = Screen { view.render(state: Notebook(title: "a")) { sent.record("\($0)") } }
    #expect(screen.text == ["a", "clear"])
    screen.press("clear")
    #expect(sent.values == [#"SetTitle(title: "")"#])
  }

  @Test("A StoreConnector that is removed releases its closure")
  func connectorReleased() {
    let tracker = LifetimeTracker()
    let screen = Screen {
      Parent(Bodies()) { number in
        if number == 1 {
          StoreConnector { [tracked = tracker.make()] (state: Notebook, _) in
            let _ = tracked.touch()
            Text(state.title)
          }
        }
      }
      .provideStore(makeStore())
    }
    #expect(tracker.alive == 1)
    screen.press("next")
    #expect(tracker.alive == 0)
  }

  @Test("An OnActionViewModifier that is removed releases its closure")
  func onActionReleased() {
    let tracker = LifetimeTracker()
    let screen = Screen {
      Parent(Bodies()) { number in
        if number == 1 {
          Text("text")
            .modifier(
              OnActionViewModifier { [tracked = tracker.make()] action in
                tracked.touch()
                return action
              })
        }
      }
      .provideStore(makeStore())
    }
    #expect(tracker.alive == 1)
    screen.press("next")
    #expect(tracker.alive == 0)
  }

  private func kind(of view: some View) -> String { "a view" }
  private func kind(of view: (some View)?) -> String { "an optional view" }

  @Test("neither the body of a connected view nor its content is an optional view")
  func bodyIsNotOptional() {
    let optional: Text? = Text("text")
    #expect(kind(of: optional) == "an optional view")
    let content = CountView(bodies: Bodies()).body
    #expect(kind(of: content) == "a view")
    #expect(kind(of: content.body) == "a view")
    #expect(kind(of: NoteView(bodies: Bodies(), id: "1").body.body) == "a view")
  }
}
