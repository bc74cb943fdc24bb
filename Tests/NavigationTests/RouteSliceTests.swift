import FluxCore
import FluxMiddleware
import FluxNavigation
import Foundation
import TestSupport
import Testing

@Suite("Navigation in a store")
struct RouteSliceTests {
  private struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var window = RouteStack(root: WindowPlace.settings)
    var tabs = RouteTabsTests.make(keepingPlaces: 2)
    var visited: [Place] = []
  }

  private enum WindowPlace: Hashable, Codable {
    case settings, profile
  }

  private static let routing = RouteSlice(at: \App.routes)
  private static let window = RouteSlice(at: \App.window)
  private static let tabs = RouteSlice(at: \App.tabs)
  private static let plugins: [Plugin<App>] = [routing.plugin, window.plugin, tabs.plugin]

  private static let reduce: MutatingReducer<App> = { state, action in
    if action is Navigate<RouteStack<Place>> { state.visited.append(state.routes.top.route) }
  }

  private let store = Store(reducer: Self.reduce, plugins: Self.plugins, state: App())

  private var routes: [Place] { store.state.routes.entries.map(\.route) }

  @Test("actions change the screens of the slice")
  func actions() {
    let routing = Self.routing
    store.dispatch(routing.push(.film(7)))
    store.dispatch(routing.present(.search("", page: 1), as: .cover))
    store.dispatch(routing.push(.film(8)))
    #expect(routes == [.list, .film(7), .search("", page: 1), .film(8)])
    store.dispatch(routing.replaceTop(with: .film(9)))
    store.dispatch(routing.pop())
    #expect(routes == [.list, .film(7), .search("", page: 1)])
    store.dispatch(routing.dismiss(store.state.routes.modals.first?.id))
    #expect(routes == [.list, .film(7)])
    store.dispatch(routing.setPath([.film(7), .film(8), .film(9)]))
    store.dispatch(routing.pop(to: store.state.routes.path[1].id))
    #expect(routes == [.list, .film(7), .film(8)])
    store.dispatch(routing.present(.about))
    store.dispatch(routing.dismiss())
    store.dispatch(routing.popToRoot())
    #expect(routes == [.list])
    store.dispatch(routing.reset(root: .film(1)))
    #expect(routes == [.film(1)])
  }

  @Test("the reducer of the store receives the action after the screens have changed")
  func receives() {
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.film(8)))
    store.dispatch(Self.routing.pop())
    #expect(store.state.visited == [.film(7), .film(8), .film(7)])
  }

  @Test("slices with different types of routes change their own screens")
  func types() {
    store.dispatch(Self.window.push(.profile))
    #expect(routes == [.list])
    #expect(store.state.window.path.map(\.route) == [.profile])
  }

  @Test("two slices with the same type of routes stop the program")
  func sameType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Windows: FluxState {
        var first = RouteStack(root: Place.list)
        var second = RouteStack(root: Place.list)
      }
      _ = Store(
        reducer: { (_: inout Windows, _) in },
        plugins: [RouteSlice(at: \Windows.first).plugin, RouteSlice(at: \Windows.second).plugin],
        state: Windows())
    }
    expect(result, says: "the plug-ins of two RouteSlices of RouteStack<Place> were added to one store")
  }

  @Test("a slice of tabs selects tabs, and changes the stack of the selected tab")
  func selects() {
    let tabs = Self.tabs
    store.dispatch(tabs.push(.film(1)))
    store.dispatch(tabs.select(.search))
    store.dispatch(tabs.push(.film(2)))
    store.dispatch(tabs.change(.stack(.push(.film(3)), in: .more)))
    #expect(store.state.tabs.selected == .search)
    #expect(
      store.state.tabs.tabs.map { store.state.tabs[$0]?.path.map(\.route) } == [
        [.film(1)], [.film(2)], [.film(3)],
      ])
    store.dispatch(tabs.back())
    store.dispatch(tabs.back())
    #expect(store.state.tabs.selected == .search && store.state.tabs.stack.path.isEmpty)
    store.dispatch(tabs.forward())
    #expect(store.state.tabs.stack.path.map(\.route) == [.film(2)])
  }

  @Test("observers of the screens are notified only when the screens change")
  func observers() {
    let shown = Recorder<[Place]>()
    let token = store.subscribe(to: { $0.routes }) { shown.record($0.entries.map(\.route)) }
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.dismiss())
    store.dispatch(Self.window.push(.profile))
    store.dispatch(Self.routing.pop())
    #expect(shown.values == [[.list], [.list, .film(7)], [.list]])
    token.cancel()
  }

  @Test("the development checks report actions of slices that a store does not have")
  func checks() {
    let problems = Recorder<String>()
    let checks = Plugin<App>.developmentChecks(
      .unhandledActions, evenInRelease: true, report: { problems.record("\($0.actionType)") })
    let store = Store(
      reducer: { (_: inout App, _) in }, plugins: [checks, Self.routing.plugin], state: App())
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.dismiss())
    #expect(problems.values.isEmpty)
    store.dispatch(Self.tabs.select(.more))
    #expect(problems.values.count == 1)
  }

  // MARK: Plug-ins

  @Test("undo and redo restore the screens with their identities")
  func history() {
    let history = History<App>(records: .all)
    let store = Store(reducer: Self.reduce, plugins: [history.plugin] + Self.plugins, state: App())
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.film(8)))
    let screens = store.state.routes
    store.dispatch(HistoryAction.undo)
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
    store.dispatch(HistoryAction.redo)
    #expect(store.state.routes == screens)
  }

  @Test("the screens are saved and restored with the state")
  func persistence() async throws {
    let folder = TemporaryFolders.newLocation()
    let persistence = Persistence(of: \App.routes, in: FileStorage(directory: folder))
    let store = Store(
      reducer: Self.reduce, plugins: Self.plugins + [persistence.plugin], state: persistence.restored(App()))
    store.dispatch(Self.routing.setPath([.film(7), .reviews(film: 7, page: 2)]))
    try await persistence.flush()
    let next = Persistence(of: \App.routes, in: FileStorage(directory: folder)).restored(App())
    #expect(next.routes == store.state.routes)
  }

  @Test("an action can be recorded and sent as JSON")
  func coding() throws {
    var registry = ActionRegistry()
    registry.register(Navigate<RouteStack<Place>>.self, as: "Navigate")
    registry.register(Navigate<RouteTabs<RouteTabsTests.Tab, Place>>.self, as: "NavigateTabs")
    let id = RouteStack(root: Place.list).root.id
    let changes: [RouteChange<Place>] = [
      .push(.film(7)), .pop, .popTo(id), .popToRoot, .replaceTop(.about), .present(.about, as: .alert),
      .dismiss(id), .dismiss(nil), .setPath([.film(7)]), .reset(root: .about),
      .back, .forward,
    ]
    for change in changes {
      let action = Navigate<RouteStack<Place>>(change)
      let data = try #require(try registry.encode(action))
      #expect(try registry.decode("Navigate", from: data) as? Navigate == action)
    }
    for change: TabChange<RouteTabsTests.Tab, Place> in [
      .select(.more), .stack(.push(.about), in: .films), .stack(.pop, in: nil),
    ] {
      let action = Navigate<RouteTabs<RouteTabsTests.Tab, Place>>(change)
      let data = try #require(try registry.encode(action))
      #expect(try registry.decode("NavigateTabs", from: data) as? Navigate == action)
    }
  }

  @Test("the description of an action contains its change")
  func descriptions() {
    #expect("\(Self.routing.push(.film(7)))" == "Navigate(push film(7))")
    #expect("\(Self.window.present(.profile, as: .alert))" == "Navigate(present profile as alert)")
    #expect("\(Self.routing.dismiss(store.state.routes.root.id))" == "Navigate(dismiss #0)")
    #expect("\(Self.routing.change(.reset(root: .about)))" == "Navigate(reset to about)")
    #expect("\(Self.tabs.select(.more))" == "Navigate(select more)")
    #expect("\(Self.tabs.change(.stack(.pop, in: .films)))" == "Navigate(pop in films)")
  }
}
