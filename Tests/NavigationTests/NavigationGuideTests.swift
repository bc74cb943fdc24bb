import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import Foundation
import TestSupport
import Testing

// The examples of the guide share these declarations.

enum Route: Hashable, Codable {
  case list
  case film(Int)
  case search(String, page: Int)
  case filter
}

struct CinemaState: FluxState {
  var routes = RouteStack(root: Route.list)
}

enum Tab: String, Codable { case films, wishes }

struct TabbedState: FluxState {
  var tabs = RouteTabs(selected: Tab.films, [.films: Route.list, .wishes: .filter])
}

struct ReviewState: FluxState {
  var routes = RouteStack(root: Route.list)
  var drafts: [ScreenID: String] = [:]
}

private struct ChangeDraft: Action {
  let screen: ScreenID
  let text: String
}

private struct LoadReviews: Action {
  let film: Int
}

enum MemberRoute: Hashable {
  case home, account, logIn
}

struct MemberState: FluxState {
  var routes = RouteStack(root: MemberRoute.home)
  var isLoggedIn = false
}

private struct Session: Sendable {
  func isValid() async -> Bool { true }
}

@Suite("Sources/FluxNavigation/FluxNavigation.docc/Navigation.md")
struct NavigationGuideTests {
  private let cinemaReducer: MutatingReducer<CinemaState> = { _, _ in }

  @Test("a stack of screens, modal screens, and a deep link")
  func stack() throws {
    let routing = RouteSlice(at: \CinemaState.routes)
    let store = Store(
      reducer: cinemaReducer, plugins: [routing.plugin], state: CinemaState())

    store.dispatch(routing.push(.film(7)))
    store.dispatch(routing.pop())
    #expect(store.state.routes.path.isEmpty)
    store.dispatch(routing.setPath([.film(7), .film(8)]))
    if let film = store.state.routes.path.first {
      store.dispatch(routing.pop(to: film.id))
    }
    #expect(store.state.routes.path.map(\.route) == [.film(7)])
    store.dispatch(routing.reset(root: .list))
    #expect(store.state.routes.path.isEmpty)

    store.dispatch(routing.present(.filter, as: .sheet))
    store.dispatch(routing.push(.film(8)))
    store.dispatch(routing.dismiss())
    #expect(store.state.routes.modals.isEmpty)
    store.dispatch(routing.present(.filter))
    if let sheet = store.state.routes.modals.last {
      store.dispatch(routing.dismiss(sheet.id))
    }
    #expect(store.state.routes.modals.isEmpty)

    let map = map
    func open(_ url: String) throws {
      store.dispatch(routing.setPath([try map.parse(url)]))
    }
    try open("films://films/9")
    #expect(store.state.routes.top.route == .film(9))
  }

  @Test("tabs")
  func selectTab() {
    let tabs = RouteSlice(at: \TabbedState.tabs)
    let store = Store(
      reducer: { (_: inout TabbedState, _) in }, plugins: [tabs.plugin], state: TabbedState())
    store.dispatch(tabs.select(.wishes))
    store.dispatch(tabs.push(.film(7)))
    #expect(store.state.tabs.stack.entries.map(\.route) == [.filter, .film(7)])
  }

  @Test("back and forward")
  func places() {
    var routes = RouteStack(root: Route.list, keepingPlaces: 50)
    routes.push(.film(7))
    routes.setPath([.search("snow", page: 1), .film(8)])
    routes.back()  // list, film 7
    routes.forward()  // list, search, film 8
    #expect(routes.entries.map(\.route) == [.list, .search("snow", page: 1), .film(8)])
    routes.back()
    #expect(routes.entries.map(\.route) == [.list, .film(7)])
  }

  private var map: RouteMap<Route> {
    let map = RouteMap<Route>(prefixes: ["https://films.example", "films:/"]) {
      path("") { Route.list }
      path("films", .int) { Route.film($0) }
      path("search", .query("q", .string), .query("page", .int, default: 1)) {
        Route.search($0, page: $1)
      }
    }
    return map
  }

  @Test("addresses")
  func addresses() throws {
    let route = try map.parse("https://films.example/films/7")  // film(7)
    let address = try map.print(.search("snow & ice", page: 1))  // /search?q=snow%20%26%20ice
    #expect(route == .film(7))
    #expect(address == "/search?q=snow%20%26%20ice")
  }

  @Test("the state and the work of a screen")
  func screens() {
    let routing = RouteSlice(at: \ReviewState.routes).screenStates(in: \.drafts)
    let reducer: ActionHandlers<ReviewState> = on(ChangeDraft.self) { state, action in
      state.drafts[action.screen] = action.text
    }
    let store = Store(
      reducer: reducer, plugins: [routing.screens(), routing.plugin], state: ReviewState())

    store.dispatch(routing.push(.film(7)))
    let screen = store.state.routes.top.id
    store.dispatch(ChangeDraft(screen: screen, text: "A masterpiece"))
    #expect(store.state.drafts[screen] == "A masterpiece")

    if let film = store.screen(screen, of: routing) {
      film.dispatch(LoadReviews(film: 7))
    }
    store.dispatch(routing.pop())  // cancels the work of LoadReviews
    #expect(store.state.drafts[screen] == nil)
  }

  @Test("parameters of other types")
  func parameters() throws {
    let uuid = RouteParameter(parse: { UUID(uuidString: $0) }, print: { $0.uuidString })
    let map = RouteMap<UUID> { path("items", uuid) { $0 } }
    let item = UUID()
    #expect(try map.parse("/items/\(item.uuidString.lowercased())") == item)
  }

  @Test("a stack of a new version")
  func restoreStack() {
    var saved = RouteStack(root: Route.list)
    saved.push(.film(7))
    var routes = RouteStack(root: Route.list, keepingPlaces: 50)
    routes.restore(from: saved)
    routes.push(.film(8))
    routes.back()
    #expect(routes.top.route == .film(7))
  }

  @Test("tabs of a new version")
  func restoreTabs() {
    var saved = RouteTabs(selected: Tab.films, [.films: Route.list])
    saved.change { $0.push(.film(7)) }
    var tabs = RouteTabs(selected: Tab.films, [.films: Route.list, .wishes: .filter])
    tabs.restore(from: saved)
    #expect(tabs.stack.top.route == .film(7))
    #expect(tabs.tabs == [.films, .wishes])
  }

  private let memberReducer: MutatingReducer<MemberState> = { _, _ in }

  @Test("a guard that redirects")
  func guards() {
    let routing = RouteSlice(at: \MemberState.routes)
    let guards = routing.guards { navigation, state in
      guard navigation.entering.contains(where: { $0.route == .account }) else { return .allow }
      return state.isLoggedIn ? .allow : .redirect(.push(.logIn))
    }
    let store = Store(
      reducer: memberReducer, plugins: [guards, routing.plugin], state: MemberState())
    store.dispatch(routing.push(.account))
    #expect(store.state.routes.top.route == .logIn)
  }

  @Test("a guard that asks a service", arguments: [true, false])
  func waitingGuard(hasSession: Bool) async {
    let routing = RouteSlice(at: \MemberState.routes)
    let guards = routing.guards { navigation, _ in
      guard navigation.entering.contains(where: { $0.route == .account }) else { return .allow }
      return .wait { store in
        let session = try? store.services(Session.self)
        return await session?.isValid() == true ? .allow : .redirect(.push(.logIn))
      }
    }
    let store = Store(
      reducer: memberReducer, plugins: [guards, routing.plugin],
      services: hasSession ? Services().with(Session()) : Services(), state: MemberState())
    await store.dispatchAsync(routing.push(.account)).finished()
    #expect(store.state.routes.top.route == (hasSession ? .account : .logIn))
  }

  @Test("recorded actions")
  func recorded() throws {
    var registry = ActionRegistry()
    registry.register(Navigate<RouteStack<Route>>.self, as: "Navigate")
    #expect(registry.registeredNames == ["Navigate"])
  }

  @Test("each example is in this file")
  func examples() throws {
    try GuideExamples(of: "Sources/FluxNavigation/FluxNavigation.docc/Navigation.md").expectTested(
      in: "Tests/NavigationTests/NavigationGuideTests.swift", atLeast: 23)
  }

  @Test("each example of the views is in the tests of the views")
  func viewExamples() throws {
    try GuideExamples(of: "Sources/FluxNavigation/FluxNavigation.docc/NavigationViews.md").expectTested(
      in: "Tests/SwiftUIFace/Tests/Guide/NavigationExample.swift", atLeast: 8)
  }
}
