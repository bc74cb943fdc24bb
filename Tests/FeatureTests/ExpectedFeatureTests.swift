import FluxCore
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

/// The states that a test expects after a feature was attached or detached.
@Suite("Expected states of attached features")
struct ExpectedFeatureTests {
  private let features = Features(at: \Shop.features)

  private func makeStore(_ state: Shop = Shop(), reporter: TestReporter = .ofRunningTest) -> TestStore<Shop> {
    TestStore(reducer: shopReducer, plugins: [features.plugin], state: state, reporter: reporter)
  }

  private func decoded(_ json: String) throws -> Shop {
    try JSONDecoder().decode(Shop.self, from: Data(json.utf8))
  }

  @Test("a test expects an attachment, an action of the feature, and a detachment", arguments: [true, false])
  func expecting(keepsState: Bool) async {
    let store = makeStore()
    let attached = features.attach(visits)
    await store.receive(FeatureAttached.self) { $0.features.attach(visits) }
    attached.store.dispatch(Visit(text: "a"))
    await store.receive(Visit.self) {
      $0.features[visits] = Visits(count: 1, text: "a")
      $0.seen = [1]
    }
    attached.detach(keepingState: keepsState)
    await store.receive(FeatureDetached.self) { $0.features.detach(visits, keepingState: keepsState) }
    features.attach(visits)
    await store.receive(FeatureAttached.self) { $0.features.attach(visits) }
    #expect(store.state.features[visits].count == (keepsState ? 1 : 0))
    await store.finish()
  }

  @Test("an expected attachment continues with the saved state")
  func saved() async throws {
    let json = #"{"features": {"states": {"visits": {"count": 7, "text": "a"}}}, "sold": 0, "seen": []}"#
    let store = makeStore(try decoded(json))
    features.attach(visits)
    await store.receive(FeatureAttached.self) {
      $0.features.attach(visits)
      #expect($0.features[visits] == Visits(count: 7, text: "a"))
    }
    await store.finish()
  }

  @Test("an expected attachment keeps a saved state that cannot be decoded")
  func unreadable() async throws {
    let problems = Recorder<FeatureError>()
    let features = Features(at: \Shop.features) { problems.record($0) }
    let state = try decoded(#"{"features": {"states": {"visits": 7}}, "sold": 0, "seen": []}"#)
    let store = TestStore(reducer: shopReducer, plugins: [features.plugin], state: state)
    features.attach(visits)
    await store.receive(FeatureAttached.self) {
      $0.features.attach(visits)
      #expect($0.features.unreadableStates == ["visits": [7]])
    }
    #expect(problems.values.map(\.code) == [.unreadableState])
    await store.finish()
  }

  @Test("a second attachment, and the detachment of one of two, change no expected state")
  func second() async {
    let store = makeStore()
    let first = features.attach(visits)
    await store.receive(FeatureAttached.self) { $0.features.attach(visits) }
    let second = features.attach(visits)
    await store.receive(FeatureAttached.self) { $0.features.attach(visits) }
    first.detach(keepingState: false)
    await store.receive(FeatureDetached.self)
    second.detach(keepingState: false)
    await store.receive(FeatureDetached.self) { $0.features.detach(visits, keepingState: false) }
    await store.finish()
  }

  @Test("a missing or wrong expectation fails, also if the test need not be exhaustive")
  func failing() async {
    let reports = Recorder<String>()
    let store = makeStore(reporter: TestReporter { if $0.isFailure { reports.record($0.message) } })
    let attached = features.attach(visits)
    await store.receive(FeatureAttached.self)
    #expect(reports.takeAll().count == 1)
    store.exhaustivity = .off(showsSkipped: false)
    attached.detach(keepingState: true)
    await store.receive(FeatureDetached.self) { $0.features.attach(visits) }
    #expect(reports.takeAll().count == 1)
    features.attach(visits).detach(keepingState: true)
    await store.receive(FeatureDetached.self) { $0.features.detach(visits, keepingState: false) }
    #expect(reports.takeAll().count == 1)
    await store.finish()
  }

  @Test("a feature that is attached only in a state is detached by the next action of its store")
  func onlyInState() {
    var state = Shop()
    state.features.attach(visits)
    let shop = ShopFixture(state: state)
    shop.features.attach(basket)
    shop.store.dispatch(Visit())
    #expect(shop.store.state.features.attachedNames == ["basket"])
    #expect(shop.visits.count == 0)
  }
}
