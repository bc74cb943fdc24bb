import FluxCore
import FluxNavigation
import FluxUI
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Navigation in views") struct NavigationViewTests {
  enum Place: Hashable, Sendable {
    case list, film(Int), filter, about
  }

  enum Section: Hashable, Sendable {
    case films, wishes
  }

  struct App: FluxState {
    var tabs = RouteTabs(selected: Section.films, [.films: Place.list, .wishes: .about])
  }

  nonisolated static let routing = RouteSlice(at: \App.tabs)

  /// A path and the modals above it.
  struct PathView: ConnectableView {
    struct Props: Equatable {
      var root: RouteEntry<Place>
      @ActionBinding var path: [RouteEntry<Place>]
      @ActionBinding var sheet: RouteModal<Place>?
      @ActionBinding var cover: RouteModal<Place>?
      @ActionBinding var asks: Bool
      @ActionBinding var onPush: @MainActor () -> Void
    }

    let section: Section
    var root: ScreenID?

    func map(state: App, binder: ActionBinder) -> Props? {
      guard let stack = state.tabs[section] else { return nil }
      let entry = stack.entries.first { $0.id == root } ?? stack.root
      return Props(
        root: entry,
        path: binder.path(of: stack, in: routing, above: root),
        sheet: binder.modal(.sheet, of: stack, in: routing, above: root),
        cover: binder.modal(.cover, of: stack, in: routing, above: root),
        asks: binder.isPresented(.alert, of: stack, in: routing, above: root),
        onPush: binder.bind(routing.push(.film(9))))
    }

    func body(props: Props) -> some View {
      NavigationStack(path: props.$path) {
        VStack {
          Text("\(props.root.route)")
          Button("Push", action: props.onPush)
        }
        .navigationDestination(for: RouteEntry<Place>.self) { entry in Text("\(entry.route)") }
      }
      .sheet(item: props.$sheet) { modal in PathView(section: section, root: modal.id) }
      .fullScreenCover(item: props.$cover) { modal in PathView(section: section, root: modal.id) }
      .alert("Sure?", isPresented: props.$asks) { Button("Yes", action: props.onPush) }
    }
  }

  struct RootView: ConnectableView {
    struct Props: Equatable {
      @ActionBinding var tab: Section
    }

    func map(state: App, binder: ActionBinder) -> Props? {
      Props(tab: binder.selection(of: state.tabs, in: routing))
    }

    func body(props: Props) -> some View {
      TabView(selection: props.$tab) {
        Tab("Films", systemImage: "film", value: .films) { PathView(section: .films) }
        Tab("Wishes", systemImage: "star", value: .wishes) { PathView(section: .wishes) }
      }
    }
  }

  private let store = Store(
    reducer: { (_: inout App, _) in }, plugins: [routing.plugin], state: App())

  private func makeScreen() -> Screen {
    Screen { [store] in RootView().provideStore(store) }
  }

  private func dispatch(_ action: any Action) {
    ActionDispatcher(store)(action)
  }

  private var routes: [Place] { store.state.tabs.stack.entries.map(\.route) }

  @Test("a pushed screen is shown, and the back button removes it from the state")
  func path() {
    let screen = makeScreen()
    screen.press("Push")
    dispatch(Self.routing.push(.film(7)))
    screen.update()
    #expect(screen.text == ["film(7)"])
    screen.goBack()
    #expect(screen.text == ["film(9)"])
    #expect(routes == [.list, .film(9)])
    screen.goBack()
    #expect(screen.text == ["list", "Push"])
    #expect(routes == [.list])
  }

  @Test("a sheet has its own path, and closing it removes its screens")
  func sheet() {
    let screen = makeScreen()
    dispatch(Self.routing.present(.filter))
    screen.update()
    #expect(screen.text == ["list", "Push", "filter", "Push"])
    screen.press("Push")
    #expect(screen.text == ["list", "Push", "film(9)"])
    screen.goBack()
    #expect(routes == [.list, .filter])
    screen.press("Push")
    screen.closeModal()
    #expect(screen.text == ["list", "Push"])
    #expect(routes == [.list])
  }

  @Test("a cover can cover a sheet, and each closes for itself")
  func coverOnSheet() {
    let screen = makeScreen()
    dispatch(Self.routing.present(.filter))
    dispatch(Self.routing.present(.about, as: .cover))
    screen.update()
    #expect(screen.text == ["list", "Push", "filter", "Push", "about", "Push"])
    screen.closeModal()
    #expect(routes == [.list, .filter])
    screen.closeModal()
    #expect(routes == [.list])
  }

  // TCA #2893: the dismissal of a child also dismissed its parent.
  @Test("the dismissal of a modal leaves its parent, although the view also reports that it is closed")
  func dismissedChild() {
    let screen = makeScreen()
    dispatch(Self.routing.present(.filter))
    dispatch(Self.routing.present(.about, as: .cover))
    screen.update()
    dispatch(Self.routing.dismiss(store.state.tabs.stack.modals.last?.id))
    // The view still shows the modal, and reports that it is closed.
    screen.closeModal()
    #expect(routes == [.list, .filter])
    #expect(screen.text == ["list", "Push", "filter", "Push"])
  }

  // TCA #3909: the button of an alert leads to another screen, and the view then closes the alert.
  @Test("the report of a closed alert does not remove the screen to which its button leads")
  func alert() {
    let screen = makeScreen()
    dispatch(Self.routing.present(.about, as: .alert))
    screen.update()
    #expect(screen.text == ["list", "Push", "! Sure?", "Yes"])
    screen.press("Yes")
    #expect(screen.text == ["film(9)"])
    #expect(routes == [.list, .film(9)])
  }

  @Test("an alert closes without an action")
  func closesAlert() {
    let screen = makeScreen()
    dispatch(Self.routing.present(.about, as: .alert))
    screen.update()
    screen.closeModal()
    #expect(routes == [.list])
  }

  @Test("a tab keeps its path, and the back button of a tab changes this tab")
  func tabs() {
    let screen = makeScreen()
    screen.press("Push")
    screen.select(tab: "Wishes")
    #expect(screen.text == ["about", "Push"])
    #expect(store.state.tabs.selected == .wishes)
    screen.press("Push")
    screen.goBack()
    #expect(store.state.tabs[.wishes]?.path.isEmpty == true)
    #expect(store.state.tabs[.films]?.path.map(\.route) == [.film(9)])
    screen.select(tab: "Films")
    #expect(screen.text == ["film(9)"])
  }
}
