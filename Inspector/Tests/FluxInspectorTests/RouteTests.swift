import Flux
import FluxInspector
import FluxNavigation
import Foundation
import Testing

@Suite("Addresses of screens", .timeLimit(.minutes(15)))
struct RouteTests {
  enum Route: Hashable, Sendable {
    case list
    case film(Int)
  }

  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Route.list)
  }

  static let routing = RouteSlice(at: \App.routes)

  static let map = RouteMap<Route> {
    path("films") { Route.list }
    path("films", .int) { Route.film($0) }
  }

  @Test("the page shows the address of the top screen, now, at each position, and after an undo")
  func routes() async throws {
    let lines = Lines()
    let inspector = Inspector(port: 0, program: "tests", isEnabled: true, sink: lines.sink)
    let history = History<App>(records: .all)
    let plugin: Plugin<App> = inspector.plugin(
      history: history, address: { state in try? Self.map.print(state.routes.top.route) })
    let store = Store(
      reducer: { (_: inout App, _: any Action) in }, plugins: [history.plugin, plugin, Self.routing.plugin],
      state: App())
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.film(8)))
    let page = try await PageClient.open(inspector.address)
    _ = try await page.next("welcome")
    func address(at position: Int? = nil) async throws -> JSONValue? {
      try await page.ask("state", ["at": position.map { .integer($0) } ?? .null])["address"]
    }
    #expect(try await address() == "/films/8")
    #expect(try await address(at: 1) == "/films/7")
    #expect(try await address(at: 0) == "/films")
    store.dispatch(HistoryAction.undo)
    #expect(try await address() == "/films/7")
    withExtendedLifetime(store) {}
  }
}
