import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Middleware of features")
struct FeatureMiddlewareTests {
  private let heard = Recorder<String>()
  private let shop: ShopFixture

  init() {
    let heard = heard
    shop = ShopFixture(middleware: [
      { _, _ in
        { next in
          { action in
            heard.record("app \(action)"); next(action)
          }
        }
      }
    ])
  }

  /// A feature whose middleware records the actions that it receives, with its state.
  private func recording(_ names: String...) -> Feature<Visits> {
    let heard = heard
    let middleware = names.map { name -> Middleware<Visits> in
      { _, getState in
        { next in
          { action in
            heard.record("\(name) \(getState()?.count ?? -1)")
            next(action)
          }
        }
      }
    }
    return Feature("visits", state: Visits(), reducer: visits.reducer, middleware: middleware)
  }

  @Test("the middleware of a feature receive actions after those of the store, with its state")
  func order() {
    let attached = shop.features.attach(recording("first", "second"))
    _ = heard.takeAll()
    shop.store.dispatch(Visit())
    shop.store.dispatch(Sell())
    attached.detach(keepingState: true)
    shop.store.dispatch(Sell())
    #expect(
      heard.values == [
        "app Visit(text: \"\")", "first 0", "second 0", "app Sell()", "first 1", "second 1",
        "app FeatureDetached(visits)", "first 1", "second 1", "app Sell()",
      ])
  }

  @Test("the middleware of the first attachment is used until the last attachment is gone")
  func twoAttachments() {
    let (first, second) = (shop.features.attach(recording("a")), shop.features.attach(recording("b")))
    _ = heard.takeAll()
    shop.store.dispatch(Sell())
    first.detach(keepingState: true)
    shop.store.dispatch(Sell())
    second.detach(keepingState: true)
    shop.store.dispatch(Sell())
    #expect(
      heard.values.filter { $0.hasPrefix("a") && !$0.hasPrefix("app") } == ["a 0", "a 0", "a 0", "a 0"])
    #expect(!heard.values.contains { $0.hasPrefix("b") })
  }

  @Test("a middleware of a feature can dispatch through the whole chain")
  func dispatching() {
    let selling = Feature(
      "visits", state: Visits(), reducer: visits.reducer,
      middleware: [
        { dispatch, _ in
          { next in
            { action in
              next(action)
              if action is Visit { dispatch(Sell()) }
            }
          }
        }
      ])
    shop.features.attach(selling)
    shop.store.dispatch(Visit())
    #expect(shop.store.state.sold == 1)
    #expect(heard.values.contains("app Sell()"))
  }

  @Test("a feature with a thunk middleware runs thunks of its state, with the services of the store")
  func thunks() {
    struct Prefix: Sendable { let text: String }
    let problems = Recorder<FeatureError>()
    let features = Features(at: \Shop.features) { problems.record($0) }
    let store = Store(
      reducer: shopReducer, plugins: [features.plugin], services: Services().with(Prefix(text: "p")),
      state: Shop())
    let feature = Feature(
      "visits", state: Visits(), reducer: visits.reducer, middleware: [thunkMiddleware()])
    features.attach(feature)
    store.dispatch(
      Thunk<Visits>(with: Prefix.self) { dispatch, _, prefix in dispatch(Visit(text: prefix.text)) })
    #expect(store.state.features[feature].text == "p")
  }
}
