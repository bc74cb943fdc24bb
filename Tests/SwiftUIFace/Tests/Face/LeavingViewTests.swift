import FluxCore
import FluxNavigation
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Views of screens that are leaving") struct LeavingViewTests {
  struct App: FluxState {
    var routes = RouteStack(root: "list")
    var drafts: [ScreenID: String] = [:]
  }

  struct Write: Action {
    let screen: ScreenID
    let text: String
  }

  nonisolated static let routing = RouteSlice(at: \App.routes).screenStates(in: \.drafts)

  /// A view of the state of a screen, which is removed with the screen.
  struct DraftView: ConnectableView {
    struct Props: Equatable {
      @ActionBinding var text: String
    }

    let screen: ScreenID

    func map(state: App, binder: ActionBinder) -> Props? {
      state.drafts[screen].map { draft in
        Props(text: binder.bind(draft) { Write(screen: screen, text: $0) })
      }
    }

    func body(props: Props) -> some View {
      Text(props.text)
      Button("Clear") { props.text = "" }
    }
  }

  private let store = Store(
    reducer: { (app: inout App, action: any Action) in
      if let write = action as? Write { app.drafts[write.screen] = write.text }
    }, plugins: [routing.plugin], state: App())

  /// Pushes a screen with a draft, and returns its identity.
  private func push() -> ScreenID {
    dispatch(Self.routing.push("draft"))
    let id = store.state.routes.top.id
    dispatch(Write(screen: id, text: "Dear"))
    return id
  }

  private func dispatch(_ action: any Action) {
    ActionDispatcher(store)(action)
  }

  // TCA #3789: a screen became empty at the beginning of the animation that removes it.
  @Test("a view that keeps its last props shows a screen that is gone as it was")
  func kept() {
    let id = push()
    let screen = Screen { [store] in DraftView(screen: id).keepsLastProps().provideStore(store) }
    dispatch(Write(screen: id, text: "Dear Ada"))
    screen.update()
    dispatch(Self.routing.pop())
    screen.update()
    #expect(store.state.drafts.isEmpty)
    #expect(screen.text == ["Dear Ada", "Clear"])
  }

  @Test("an action of a screen that is gone does not bring its state back")
  func late() {
    let id = push()
    let screen = Screen { [store] in DraftView(screen: id).keepsLastProps().provideStore(store) }
    dispatch(Self.routing.pop())
    screen.update()
    screen.press("Clear")
    #expect(store.state.drafts.isEmpty)
    #expect(screen.text == ["Dear", "Clear"])
  }

  @Test("without the modifier, a view without props shows nothing")
  func notKept() {
    let id = push()
    let screen = Screen { [store] in DraftView(screen: id).provideStore(store) }
    #expect(screen.text == ["Dear", "Clear"])
    dispatch(Self.routing.pop())
    screen.update()
    #expect(screen.text == [])
  }

  @Test("a view that never had props shows nothing, and shows props that come later")
  func never() {
    let id = push()
    dispatch(Self.routing.pop())
    let screen = Screen { [store] in DraftView(screen: id).keepsLastProps().provideStore(store) }
    #expect(screen.text == [])
    dispatch(Self.routing.push("draft"))
    let next = store.state.routes.top.id
    dispatch(Write(screen: next, text: "Hello"))
    let other = Screen { [store] in DraftView(screen: next).keepsLastProps().provideStore(store) }
    #expect(other.text == ["Hello", "Clear"])
  }

  /// A view that provides one of two stores.
  struct SwitchView: View {
    let stores: [Store<App>]
    let screen: ScreenID
    @State private var index = 0

    var body: some View {
      Button("Switch") { index = 1 }
      DraftView(screen: screen).keepsLastProps().provideStore(stores[index])
    }
  }

  @Test("a view does not keep the props of another store")
  func otherStore() {
    let id = push()
    let other = Store(reducer: { (_: inout App, _: any Action) in }, state: App())
    let screen = Screen { [store] in SwitchView(stores: [store, other], screen: id) }
    #expect(screen.text == ["Switch", "Dear", "Clear"])
    screen.press("Switch")
    #expect(screen.text == ["Switch"])
  }
}
