import FluxCore
import FluxMiddleware
import TestSupport

/// An app with two features, which can be attached while its store is running.
struct Shop: FluxState, Equatable, Codable {
  var features = FeatureStates()
  var sold = 0
  /// The number of visits that the reducer of the store has seen when it receives a ``Visit``.
  var seen: [Int] = []
}

/// A feature that counts visits.
struct Visits: FluxState, Equatable, Codable {
  var count = 0
  var text = ""
}

/// A feature whose state cannot be encoded.
struct Basket: FluxState, Equatable {
  var items: [String] = []
}

struct Sell: Action, Codable {}

struct Visit: Action, Codable {
  var text = ""
}

struct Put: Action {
  let item: String
}

let visits = Feature(
  "visits", state: Visits(),
  reducer: { (state: inout Visits, action: any Action) in
    if let visit = action as? Visit { (state.count, state.text) = (state.count + 1, state.text + visit.text) }
  })

let basket = Feature(
  "basket", state: Basket(),
  reducer: { (state: inout Basket, action: any Action) in
    if let put = action as? Put { state.items.append(put.item) }
  })

let shopReducer: MutatingReducer<Shop> = { shop, action in
  switch action {
  case is Sell: shop.sold += 1
  case is Visit: shop.seen.append(shop.features[visits].count)
  default: break
  }
}

/// A store of a shop, the object that attaches its features, and the reported problems.
struct ShopFixture {
  let problems = Recorder<FeatureError>()
  let features: Features<Shop>
  let store: Store<Shop>

  init(
    middleware: [Middleware<Shop>] = [], before: [Plugin<Shop>] = [], after: [Plugin<Shop>] = [],
    state: Shop = Shop()
  ) {
    let problems = problems
    features = Features(at: \Shop.features) { problems.record($0) }
    store = Store(
      reducer: shopReducer, middleware: middleware, plugins: before + [features.plugin] + after,
      state: state)
  }

  var visits: Visits { store.state.features[FeatureTests.visits] }

  var basket: Basket { store.state.features[FeatureTests.basket] }
}
