import Flux
import FluxNavigation
import FluxTesting
import TestSupport
import Testing

@Suite("Migrating.md: the names of the Composable Architecture, NgRx, and ReSwift-Router")
struct MigratingOtherNamesTests {
  private enum Place: Hashable, Sendable {
    case list, film(Int), filter
  }

  private struct Cinema: FluxState {
    var routes = RouteStack(root: Place.list)
    var features = FeatureStates()
  }

  private struct Load: TaskAction {
    var policy: WorkPolicy { .latest }

    func execute(in context: TaskContext<Cinema>) async throws {}
  }

  private static let routing = RouteSlice(at: \Cinema.routes)

  private let none: MutatingReducer<Cinema> = { _, _ in }

  @Test("The names of tests compile.")
  func tests() async throws {
    let clock = ManualClock()
    let store = TestStore(reducer: reviews.reducer, state: Reviews())
    store.send(AddReview(text: "Great!")) { $0.texts = ["Great!"] }
    await store.finish()
    async let woken: Void = clock.sleep(for: .seconds(1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await woken
  }

  @Test("The names of screens and routes compile.")
  func screens() throws {
    let routing = Self.routing
    let store = Store(reducer: none, plugins: [routing.plugin], state: Cinema())
    store.dispatch(routing.present(.filter, as: .sheet))
    #expect(store.state.routes.modals.count == 1)
    store.dispatch(routing.dismiss())
    store.dispatch(routing.setPath([.film(7), .film(8)]))
    store.dispatch(CancelWork(of: Load.self))
    #expect(store.state.routes.top.route == .film(8))
    let map = RouteMap<Place> { path("films", .int) { Place.film($0) } }
    #expect(try map.print(.film(7)) == "/films/7")
  }

  @Test("The names of features compile.")
  func features() {
    let features = Features(at: \Cinema.features)
    let store = Store(reducer: none, plugins: [features.plugin], state: Cinema())
    let reviews = Feature("reviews", state: Reviews(), reducer: reviewsReducer)
    let attached = features.attach(reviews)
    attached.detach(keepingState: false)
    #expect(!store.state.features.isAttached(reviews))
  }
}
