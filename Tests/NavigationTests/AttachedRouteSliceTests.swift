import FluxCore
import FluxMiddleware
import FluxNavigation
import TestSupport
import Testing

@Suite("Navigation in a feature that is attached at run time")
struct AttachedRouteSliceTests {
  private struct App: FluxState, Equatable {
    var features = FeatureStates()
    var routes = RouteStack(root: Place.list)
  }

  private struct Shelf: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
  }

  private static let routing = RouteSlice(at: \Shelf.routes)

  private static func shelf(_ name: String, _ plugins: [Plugin<Shelf>] = []) -> Feature<Shelf> {
    Feature(
      name, state: Shelf(), reducer: { (_: inout Shelf, _: any Action) in },
      plugins: { [routing.plugin] + plugins })
  }

  private let features = Features(at: \App.features)
  private let store: Store<App>

  init() {
    store = Store(reducer: { (_: inout App, _: any Action) in }, plugins: [features.plugin], state: App())
  }

  @Test("each attachment of a feature with a slice reduces the actions of the slice")
  func repeated() {
    let shelf = Self.shelf("shelf")
    for count in 1...3 {
      let attached = features.attach(shelf)
      store.dispatch(Self.routing.push(.film(count)))
      #expect(store.state.features[shelf].routes.path.count == count)
      attached.detach(keepingState: true)
      store.dispatch(Self.routing.push(.film(9)))
      #expect(store.state.features[shelf].routes.path.count == count)
    }
  }

  @Test("several attachments of a feature share its slice, and a later feature can have a slice too")
  func shared() {
    let (shelf, other) = (Self.shelf("shelf"), Self.shelf("other"))
    let (first, second) = (features.attach(shelf), features.attach(shelf))
    first.detach(keepingState: false)
    store.dispatch(Self.routing.push(.film(1)))
    #expect(store.state.features[shelf].routes.path.map(\.route) == [.film(1)])
    second.detach(keepingState: false)
    features.attach(other)
    store.dispatch(Self.routing.push(.film(2)))
    #expect(store.state.features[other].routes.path.map(\.route) == [.film(2)])
  }

  @Test("a feature whose attachment a middleware dropped can be attached again")
  func dropped() {
    let drops = Shared(true)
    let features = Features(at: \App.features)
    let store = Store(
      reducer: { (_: inout App, _: any Action) in },
      middleware: [
        { _, _ in { next in { action in if !(action is FeatureAttached && drops.value) { next(action) } } } }
      ], plugins: [features.plugin], state: App())
    let shelf = Self.shelf("shelf")
    features.attach(shelf)
    _ = drops.exchange(false)
    features.attach(shelf)
    store.dispatch(Self.routing.push(.film(1)))
    #expect(store.state.features[shelf].routes.path.map(\.route) == [.film(1)])
  }

  @Test("a feature can be attached again before the transition that detached it was delivered")
  func batch() {
    let shelf = Self.shelf("shelf", [Plugin(onTransition: .actions { _, _ in })])
    store.batch {
      for _ in 0..<3 { features.attach(shelf).detach(keepingState: true) }
      features.attach(shelf)
    }
    store.dispatch(Self.routing.push(.film(1)))
    #expect(store.state.features[shelf].routes.path.map(\.route) == [.film(1)])
  }

  @Test("two attached features with slices of the same type of routes stop the program")
  func sameType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = AttachedRouteSliceTests()
      tests.features.attach(Self.shelf("first"))
      tests.features.attach(Self.shelf("second"))
    }
    expect(result, says: "the plug-ins of two RouteSlices of RouteStack<Place> were added to one store")
  }

  @Test("a feature with a slice of the same type of routes as the app's slice stops the program")
  func sameTypeAsApp() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let features = Features(at: \App.features)
      let store = Store(
        reducer: { (_: inout App, _: any Action) in },
        plugins: [features.plugin, RouteSlice(at: \App.routes).plugin], state: App())
      features.attach(Self.shelf("shelf"))
      withExtendedLifetime(store) {}
    }
    expect(result, says: "the plug-ins of two RouteSlices of RouteStack<Place> were added to one store")
  }
}
