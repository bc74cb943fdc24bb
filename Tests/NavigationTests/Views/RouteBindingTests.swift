import FluxCore
import FluxNavigation
import FluxUI
import TestSupport
import Testing

// These tests use the bindings without views. Tests/SwiftUIFace operates the views.
@MainActor
@Suite("Bindings of navigation views")
struct RouteBindingTests {
  private struct App: FluxState {
    var tabs = RouteTabs(selected: Genre.comedy, [.comedy: Place.list, .drama: .about])
  }

  nonisolated private static let routing = RouteSlice(at: \App.tabs)

  private let store = Store(reducer: { (_: inout App, _) in }, plugins: [routing.plugin], state: App())
  private let binder: ActionBinder

  init() {
    binder = ActionBinder(ActionDispatcher(store))
  }

  private var stack: RouteStack<Place> { store.state.tabs.stack }

  private var routes: [Place] { stack.entries.map(\.route) }

  private func dispatch(_ action: any Action) {
    store.dispatch(action)
  }

  @Test("a path without its last screens removes these screens from the state")
  func path() {
    dispatch(Self.routing.setPath([.film(1), .film(2), .film(3)]))
    let path = binder.path(of: stack, in: Self.routing)
    #expect(path.wrappedValue.map(\.route) == [.film(1), .film(2), .film(3)])
    path.wrappedValue = Array(path.wrappedValue.prefix(1))
    #expect(routes == [.list, .film(1)])
    binder.path(of: stack, in: Self.routing).wrappedValue = []
    #expect(routes == [.list])
  }

  @Test("a path above a modal changes only the screens of the modal")
  func pathOfModal() {
    dispatch(Self.routing.push(.film(1)))
    dispatch(Self.routing.present(.search("", page: 1)))
    dispatch(Self.routing.push(.film(2)))
    let root = stack.modals.first?.id
    let path = binder.path(of: stack, in: Self.routing, above: root)
    #expect(path.wrappedValue.map(\.route) == [.film(2)])
    path.wrappedValue = []
    #expect(routes == [.list, .film(1), .search("", page: 1)])
  }

  @Test("a late report of a closed screen removes nothing")
  func lateReport() {
    dispatch(Self.routing.push(.film(7)))
    let late = binder.path(of: stack, in: Self.routing)
    dispatch(Self.routing.pop())
    dispatch(Self.routing.push(.film(8)))
    late.wrappedValue = late.wrappedValue
    late.wrappedValue = []
    #expect(routes == [.list])
    dispatch(Self.routing.push(.film(9)))
    dispatch(Self.routing.present(.film(1)))
    let sheet = binder.modal(.sheet, of: stack, in: Self.routing)
    dispatch(Self.routing.dismiss())
    dispatch(Self.routing.present(.about))
    sheet.wrappedValue = nil
    #expect(routes == [.list, .film(9), .about])
  }

  @Test("a view cannot add a screen to a path")
  func adds() {
    dispatch(Self.routing.push(.film(7)))
    let path = binder.path(of: stack, in: Self.routing)
    path.wrappedValue = path.wrappedValue + path.wrappedValue
    #expect(routes == [.list, .film(7)])
  }

  @Test("a binding of a modal contains the modal with its style, and `nil` dismisses it")
  func modal() throws {
    dispatch(Self.routing.present(.about, as: .cover))
    let sheet = binder.modal(.sheet, of: stack, in: Self.routing)
    #expect(sheet.wrappedValue == nil)
    sheet.wrappedValue = nil
    #expect(routes == [.list, .about])
    let cover = binder.modal(.cover, of: stack, in: Self.routing)
    let shown = try #require(cover.wrappedValue)
    #expect(shown.id == stack.modals.first?.id)
    cover.wrappedValue = shown
    #expect(routes == [.list, .about])
    cover.wrappedValue = nil
    #expect(routes == [.list])
  }

  @Test("a binding of an alert is true while the alert is presented, and false dismisses it")
  func isPresented() {
    dispatch(Self.routing.present(.about, as: .alert))
    #expect(!binder.isPresented(.sheet, of: stack, in: Self.routing).wrappedValue)
    let alert = binder.isPresented(.alert, of: stack, in: Self.routing)
    #expect(alert.wrappedValue)
    alert.wrappedValue = true
    #expect(routes == [.list, .about])
    alert.wrappedValue = false
    #expect(routes == [.list])
    let none = binder.isPresented(.alert, of: stack, in: Self.routing)
    #expect(!none.wrappedValue)
    none.wrappedValue = false
    #expect(routes == [.list])
  }

  @Test("a binding of the selected tab selects a tab")
  func selection() {
    let tab = binder.selection(of: store.state.tabs, in: Self.routing)
    #expect(tab.wrappedValue == .comedy)
    tab.wrappedValue = .drama
    #expect(store.state.tabs.selected == .drama)
    #expect(routes == [.about])
  }

  @Test("a path or a modal of a screen that does not exist is empty")
  func unknownRoot() throws {
    var stack = RouteStack(root: Place.list)
    let film = stack.push(.film(7))
    #expect(stack.path(above: film).isEmpty)
    #expect(stack.modal(above: film) == nil)
    #expect(stack.modal(above: stack.root.id) == nil)
    let sheet = stack.present(.list)
    stack.push(.about)
    #expect(stack.modal(above: stack.root.id)?.id == sheet)
    #expect(stack.path(above: sheet).map(\.route) == [.about])
  }
}
