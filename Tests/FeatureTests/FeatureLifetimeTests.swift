import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Lifetimes of captured values in features")
struct FeatureLifetimeTests {
  private func feature(touching object: LifetimeTracker.Tracked) -> Feature<Visits> {
    Feature(
      "visits", state: Visits(),
      reducer: { (_: inout Visits, _: any Action) in object.touch() },
      middleware: [
        { _, _ in
          { next in
            { action in
              object.touch()
              next(action)
            }
          }
        }
      ])
  }

  @Test("detaching releases the reducer and the middleware of a Feature")
  func detached() {
    let tracker = LifetimeTracker()
    let shop = ShopFixture()
    do {
      let attached = shop.features.attach(feature(touching: tracker.make()))
      shop.store.dispatch(Sell())
      #expect(tracker.alive == 1)
      attached.detach(keepingState: true)
    }
    #expect(tracker.alive == 0)
    #expect(shop.store.state.features.attachedNames.isEmpty)
  }

  @Test("a store that is released releases the features of a Features object that remains")
  func remaining() {
    let tracker = LifetimeTracker()
    let features = Features(at: \Shop.features)
    do {
      let store = Store(reducer: shopReducer, plugins: [features.plugin], state: Shop())
      features.attach(feature(touching: tracker.make()))
      store.dispatch(Sell())
      #expect(tracker.alive == 1)
    }
    #expect(tracker.alive == 0)
  }

  @Test("releasing the store releases the attached features, although an AttachedFeature remains")
  func released() {
    let tracker = LifetimeTracker()
    let storeTracker = LifetimeTracker()
    var features: Features<Shop>?
    var attached: AttachedFeature<Visits>?
    do {
      let object = storeTracker.make()
      let made = Features(at: \Shop.features) { _ in object.touch() }
      let store = Store(
        reducer: { (_: inout Shop, _: any Action) in object.touch() }, plugins: [made.plugin], state: Shop())
      attached = made.attach(feature(touching: tracker.make()))
      store.dispatch(Sell())
      features = made
      withExtendedLifetime(store) {}
    }
    attached = nil
    features = nil
    #expect(tracker.alive == 0)
    #expect(storeTracker.alive == 0)
    _ = (features, attached)
  }
}
