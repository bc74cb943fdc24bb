import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("Saved states of features")
struct SavedFeatureTests {
  private func encoded(_ shop: Shop) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(shop))
  }

  private func decoded(_ json: JSONValue) throws -> Shop {
    try JSONDecoder().decode(Shop.self, from: JSONEncoder().encode(json))
  }

  private func saved(_ features: JSONValue) -> JSONValue {
    ["features": features, "sold": 3, "seen": []]
  }

  private let visitsJSON: JSONValue = ["states": ["visits": ["count": 7, "text": "a"]]]

  @Test("the state of a feature is saved under its name, and a state that is not Codable is left out")
  func saving() throws {
    let shop = ShopFixture()
    shop.features.attach(visits)
    shop.features.attach(basket)
    shop.store.dispatch(Visit(text: "a"))
    shop.store.dispatch(Put(item: "bread"))
    let json = try encoded(shop.store.state)
    #expect(json["features"] == ["states": ["visits": ["count": 1, "text": "a"]]])
  }

  @Test("a saved state is handed over when its feature is attached")
  func handedOver() throws {
    let shop = ShopFixture(state: try decoded(saved(visitsJSON)))
    #expect(shop.store.state.features.attachedNames.isEmpty)
    shop.features.attach(visits)
    #expect(shop.visits == Visits(count: 7, text: "a"))
    #expect(shop.problems.values.isEmpty)
  }

  @Test("a saved state whose feature is not attached is saved again unchanged")
  func preserved() throws {
    let unknown: JSONValue = [
      "states": [
        "other": ["deep": [1, nil, ["x": true]], "text": "é\n"], "plain": 12_345_678_901_234,
        "visits": ["count": 7, "text": "a", "field of a newer version": 1],
      ]
    ]
    let shop = ShopFixture(state: try decoded(saved(unknown)))
    shop.features.attach(basket)
    shop.store.dispatch(Sell())
    #expect(try encoded(shop.store.state)["features"] == unknown)
  }

  @Test("the state of a detached feature is saved if it was kept, and not if it was discarded")
  func detached() throws {
    let shop = ShopFixture()
    let first = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    first.detach(keepingState: true)
    #expect(try encoded(shop.store.state)["features"]?["states"]?["visits"]?["count"] == 1)
    shop.features.attach(visits).detach(keepingState: false)
    #expect(try encoded(shop.store.state)["features"] == ["states": [:]])
  }

  @Test("a saved state that cannot be decoded is reported and kept, and the feature begins anew")
  func unreadable() throws {
    let broken: JSONValue = ["count": "seven"]
    let shop = ShopFixture(state: try decoded(saved(["states": ["visits": broken]])))
    shop.features.attach(visits)
    #expect(shop.visits == Visits())
    #expect(shop.problems.values.map(\.code) == [.unreadableState])
    #expect(shop.problems.values.first?.feature == "visits")
    #expect(
      "\(shop.problems.values[0])"
        == "The saved state of the feature visits cannot be decoded: `count` has the wrong type.")
    shop.store.dispatch(Visit())
    let json = try encoded(shop.store.state)["features"]
    #expect(json?["unreadable"]?["visits"] == [broken])
    #expect(json?["states"]?["visits"]?["count"] == 1)
    #expect(try decoded(saved(json!)).features.unreadableStates == ["visits": [broken]])
  }

  @Test("a saved state of a feature whose state is not Decodable is reported and kept")
  func notDecodable() throws {
    let shop = ShopFixture(state: try decoded(saved(["states": ["basket": ["items": ["bread"]]]])))
    shop.features.attach(basket)
    #expect(shop.basket == Basket())
    #expect(shop.problems.values.map(\.code) == [.unreadableState])
    #expect(shop.store.state.features.unreadableStates == ["basket": [["items": ["bread"]]]])
  }

  @Test("a state that is restored while a feature is attached is handed over before the next action")
  func restoredWhileAttached() throws {
    let shop = ShopFixture(before: [.storeActions])
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.reset(to: try decoded(saved(visitsJSON)))
    #expect(shop.visits == Visits(count: 7, text: "a"))
    #expect(attached.isAttached)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 8)
  }

  @Test("a restored state that an attached feature cannot decode is reported and kept")
  func unreadableWhileAttached() async throws {
    let reported = EventLog<FeatureError>()
    let features = Features(at: \Shop.features) { reported.record($0) }
    let store = Store(reducer: shopReducer, plugins: [.storeActions, features.plugin], state: Shop())
    features.attach(visits)
    store.reset(to: try decoded(saved(["states": ["visits": 5]])))
    await reported.count(atLeast: 1)
    #expect(reported.values.map(\.code) == [.unreadableState])
    #expect(store.state.features.unreadableStates == ["visits": [5]])
    store.dispatch(Visit())
    #expect(store.state.features[visits].count == 1)
  }

  @Test("a persistence saves the states of features, and a later run hands them over")
  func persistence() throws {
    let storage = InMemoryStorage()
    do {
      let persistence = Persistence<Shop, Shop>(in: storage)
      let shop = ShopFixture(before: [persistence.plugin], state: persistence.restored(Shop()))
      shop.features.attach(visits)
      shop.store.dispatch(Visit(text: "x"))
      try persistence.flush()
    }
    do {
      let persistence = Persistence<Shop, Shop>(in: storage)
      let shop = ShopFixture(before: [persistence.plugin], state: persistence.restored(Shop()))
      shop.store.dispatch(Sell())
      try persistence.flush()
    }
    let persistence = Persistence<Shop, Shop>(in: storage)
    let shop = ShopFixture(before: [persistence.plugin], state: persistence.restored(Shop()))
    shop.features.attach(visits)
    #expect(shop.visits == Visits(count: 1, text: "x"))
    #expect(shop.store.state.sold == 1)
  }

  @Test("an attachment and a detachment are saved without another action", arguments: [true, false])
  func savedChanges(keeping: Bool) throws {
    let storage = InMemoryStorage()
    let persistence = Persistence<Shop, Shop>(in: storage)
    let shop = ShopFixture(before: [persistence.plugin])
    func savedStates() throws -> JSONValue? {
      try persistence.flush()
      let state = Persistence<Shop, Shop>(in: storage).restored(Shop())
      return try encoded(state)["features"]?["states"]
    }
    let attached = shop.features.attach(visits)
    #expect(try savedStates() == ["visits": ["count": 0, "text": ""]])
    attached.detach(keepingState: keeping)
    #expect(try savedStates() == (keeping ? ["visits": ["count": 0, "text": ""]] : [:]))
  }

  @Test("each saved state that could not be decoded is kept, and is reported once")
  func twoUnreadable() throws {
    let history = History<Shop>()
    let state = try decoded(saved(["states": ["visits": 6], "unreadable": ["visits": [5]]]))
    let shop = ShopFixture(before: [history.plugin], state: state)
    shop.store.dispatch(Sell())
    shop.features.attach(visits)
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(HistoryAction.redo)
    #expect(shop.problems.count == 1)
    let json = try encoded(shop.store.state)
    #expect(json["features"]?["unreadable"] == ["visits": [5, 6]])
  }

  @Test("the names and states of features do not depend on the encoder of the app")
  func otherEncoders() throws {
    struct Opened: FluxState, Equatable, Codable {
      var lastVisit = Date(timeIntervalSinceReferenceDate: 0)
      var note: String?
      var numbers: [Double?] = []
      var amounts: [Decimal] = []
      var counts: [Int] = []
    }
    let numbers: [Double?] = [
      0, 2, 1.5, -1.5, 0.1, -0.1, nil, .pi, 1e15, 1e20, -1e22, 1e100, -1e300, 1e-7, -1.25e-100, 1e-300,
      1.2345678901234567e-115, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .leastNormalMagnitude,
    ]
    let digits = ["12345678901234567890.123456789012345678", "-0.00000000000000000000000000000000000001"]
    let amounts = try digits.map { try #require(Decimal(string: $0)) } + [-3, 0.25, .greatestFiniteMagnitude]
    let counts = [Int.min, -1, 0, 1, Int.max]
    let opened = Feature("lastVisits", state: Opened()) { (state: inout Opened, action: any Action) in
      if action is Visit { state.lastVisit += 1.25 }
    }
    var initial = Shop()
    initial.features[opened] = Opened(numbers: numbers, amounts: amounts, counts: counts)
    let shop = ShopFixture(state: initial)
    shop.features.attach(opened)
    shop.store.dispatch(Visit())
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    decoder.dateDecodingStrategy = .iso8601
    let states = [
      try decoder.decode(Shop.self, from: encoder.encode(shop.store.state)),
      try PropertyListDecoder().decode(Shop.self, from: PropertyListEncoder().encode(shop.store.state)),
    ]
    let expected = Opened(
      lastVisit: Date(timeIntervalSinceReferenceDate: 1.25), numbers: numbers, amounts: amounts,
      counts: counts)
    for state in states {
      let later = ShopFixture(state: state)
      later.features.attach(opened)
      #expect(later.store.state.features[opened] == expected)
      #expect(later.problems.values.isEmpty)
    }
  }

  @Test("an export of a history hides the secrets of a feature")
  func redacted() throws {
    let history = History<Shop>()
    let shop = ShopFixture(before: [history.plugin])
    shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "pin4711"))
    let registry = ActionRegistry(Visit.self)
    let data = try history.export(from: shop.store, with: registry, redacting: .fields("text"))
    #expect(!String(decoding: data, as: UTF8.self).contains("pin4711"))
    #expect(String(decoding: data, as: UTF8.self).contains("\"count\" : 1"))
  }

  @Test("a state can be assigned, with and without an attached feature")
  func assigning() {
    var shop = Shop()
    shop.features[visits].count = 3
    let fixture = ShopFixture(state: shop)
    #expect(fixture.visits.count == 3)
    fixture.features.attach(visits)
    fixture.store.dispatch(Visit())
    #expect(fixture.visits.count == 4)
    var later = fixture.store.state
    later.features[visits].count = 9
    #expect(later.features.isAttached(visits))
    #expect(later.features[visits].count == 9)
  }

  @Test("states are equal if the same features are attached with equal states")
  func equality() throws {
    let (first, second) = (ShopFixture(), ShopFixture())
    #expect(first.store.state == second.store.state)
    first.features.attach(visits)
    #expect(first.store.state != second.store.state)
    let attached = second.features.attach(visits)
    #expect(first.store.state == second.store.state)
    first.store.dispatch(Visit())
    #expect(first.store.state.features != second.store.state.features)
    second.store.dispatch(Visit())
    #expect(first.store.state == second.store.state)
    attached.detach(keepingState: true)
    #expect(first.store.state != second.store.state)
    #expect(try decoded(saved(visitsJSON)) == decoded(saved(visitsJSON)))
    #expect(try decoded(saved(visitsJSON)) != decoded(saved(["states": [:]])))
  }
}
