import FluxAsync
import FluxCore
import FluxNavigation
import TestSupport
import Testing

@Suite("Lifetimes of captured values in navigation")
struct NavigationLifetimeTests {
  private struct App: FluxState {
    var routes = RouteStack(root: Place.list)
  }

  private struct Other: Action {}

  @Test("a RouteMap keeps the closures of its RouteParameter values and routes until it is released")
  func routeMap() throws {
    let tracker = LifetimeTracker()
    do {
      let object = tracker.make()
      let number = RouteParameter<Int>(
        parse: { text in
          object.touch()
          return Int(text)
        },
        print: { number in
          object.touch()
          return "\(number)"
        })
      let map = RouteMap<Place> {
        path("films", number) { film in
          object.touch()
          return Place.film(film)
        }
      }
      #expect(try map.print(.film(7)) == "/films/7")
      #expect(tracker.alive == 1)
      withExtendedLifetime(map) {}
    }
    #expect(tracker.alive == 0)
  }

  @Test("the screens of a RouteSlice keep their report until the store is released")
  func screens() throws {
    let tracker = LifetimeTracker()
    do {
      let routing = RouteSlice(at: \App.routes)
      var plugin: Plugin<App>? = { [object = tracker.make()] in
        routing.screens(evenInRelease: true) { _ in object.touch() }
      }()
      let store = Store(
        reducer: { (_: inout App, _) in }, plugins: [try #require(plugin), routing.plugin], state: App())
      plugin = nil
      store.dispatch(routing.push(.film(7)))
      let gone = try #require(store.screen(store.state.routes.top.id, of: routing))
      let root = try #require(store.screen(store.state.routes.root.id, of: routing))
      store.dispatch(routing.pop())
      for screen in [gone, root] { screen.dispatch(Other()) }
      #expect(tracker.alive == 1)
      withExtendedLifetime(store) {}
    }
    #expect(tracker.alive == 0)
  }

  @Test("a guard of a RouteSlice keeps its closure until its store is released")
  func guards() async {
    let tracker = LifetimeTracker()
    do {
      let routing = RouteSlice(at: \App.routes)
      let store = { [object = tracker.make()] in
        Store(
          reducer: { (_: inout App, _) in },
          plugins: [
            routing.guards { _, _ in
              object.touch()
              return .wait { [decision = tracker.make()] _ in
                decision.touch()
                return .allow
              }
            }, routing.plugin,
          ], state: App())
      }()
      await store.dispatchAsync(routing.push(.film(7))).finished()
      #expect(store.state.routes.top.route == .film(7))
      #expect(tracker.alive == 1)
      withExtendedLifetime(store) {}
    }
    #expect(tracker.alive == 0)
  }
}
