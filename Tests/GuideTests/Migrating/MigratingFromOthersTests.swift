import Flux
import FluxNavigation
import TestSupport
import Testing

@Suite("Migrating.md: the Composable Architecture, NgRx, and ReSwift-Router behave differently")
struct MigratingFromOthersTests {
  private enum Place: Hashable, Codable, Sendable {
    case list, film(Int), filter, login
  }

  private struct Cinema: FluxState {
    var routes = RouteStack(root: Place.list)
    var features = FeatureStates()
    var names: [String] = []
    var isLoggedIn = false
  }

  private struct LogIn: Action {}

  private struct Load: TaskAction {
    func execute(in context: TaskContext<Cinema>) async throws { context.dispatch(Named("Loaded")) }
  }

  private static let routing = RouteSlice(at: \Cinema.routes)

  private let features = Features(at: \Cinema.features)
  private let dropped = Recorder<String>()
  private let store: Store<Cinema>

  init() {
    let routing = Self.routing
    let dropped = dropped
    let reducer: MutatingReducer<Cinema> = { cinema, action in
      if let named = action as? Named { cinema.names.append(named.name) }
      if action is LogIn { cinema.isLoggedIn = true }
    }
    let guards = routing.guards { navigation, cinema in
      let needsLogin = navigation.entering.contains { $0.route == .filter }
      return needsLogin && !cinema.isLoggedIn ? .redirect(.push(.login)) : .allow
    }
    store = Store(
      reducer: reducer,
      plugins: [
        routing.screens(evenInRelease: true) { dropped.record("\($0.action)") }, guards, routing.plugin,
        features.plugin,
      ],
      state: Cinema())
  }

  // MARK: The Composable Architecture

  @Test("A reducer returns no effects; an action carries its work.")
  func work() async {
    await store.dispatchAsync(Load()).finished()
    #expect(store.state.names == ["Loaded"])
  }

  @Test("All reducers of a store receive each action, also an action of a feature.")
  func wholeChain() {
    let attached = features.attach(reviews)
    attached.store.dispatch(Named("A"))
    #expect(store.state.names == ["A"])
  }

  @Test("The late action of a screen that is gone reaches no reducer.")
  func late() {
    store.dispatch(Self.routing.push(.film(7)))
    let screen = store.screen(store.state.routes.top.id, of: Self.routing)
    store.dispatch(Self.routing.pop())
    screen?.dispatch(Named("late"))
    #expect(store.state.names.isEmpty)
    #expect(dropped.count == 1)
  }

  // MARK: NgRx

  @Test("A navigation is an action that changes the state, and the views follow the state.")
  func navigation() {
    store.dispatch(Self.routing.push(.film(7)))
    #expect(store.state.routes.top.route == .film(7))
  }

  @Test("A guard receives the state and the navigation, and can replace the navigation.")
  func guards() {
    store.dispatch(Self.routing.push(.filter))
    #expect(store.state.routes.top.route == .login)
  }

  @Test("A detached feature can keep its state.")
  func detaching() {
    let attached = features.attach(reviews)
    store.dispatch(AddReview(text: "Great!"))
    attached.detach(keepingState: true)
    #expect(store.state.features[reviews].texts == ["Great!"])
    features.attach(reviews).detach(keepingState: false)
    #expect(store.state.features[reviews].texts.isEmpty)
  }

  // MARK: ReSwift-Router

  @Test("A route is a stack of values with identities, instead of an array of strings.")
  func values() {
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.film(7)))
    #expect(Set(store.state.routes.path.map(\.id)).count == 2)
  }

  @Test("A new path takes effect at once, without completion handlers.")
  func setPath() {
    store.dispatch(Self.routing.setPath([.film(7), .film(8)]))
    #expect(store.state.routes.path.map(\.route) == [.film(7), .film(8)])
  }
}
