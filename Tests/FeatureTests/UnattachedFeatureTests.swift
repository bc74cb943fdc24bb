import FluxCore
import FluxMiddleware
import Foundation
import Testing

@Suite("Saved states of features that were not attached")
struct UnattachedFeatureTests {
  private struct Bonus: Action {}

  private let readable: JSONValue = ["count": 41, "text": "a", "field of a newer version": 1]
  private let unreadable: JSONValue = ["count": "seven"]

  private func shop(saving visits: JSONValue?) throws -> Shop {
    let states: JSONValue = if let visits { ["visits": visits] } else { [:] }
    return try decoded(["features": ["states": states], "sold": 3, "seen": []])
  }

  private func decoded(_ json: JSONValue) throws -> Shop {
    try JSONDecoder().decode(Shop.self, from: JSONEncoder().encode(json))
  }

  private func saved(_ shop: Shop) throws -> JSONValue? {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(shop))["features"]
  }

  @Test("a saved state can be read before its feature is attached, and is saved again unchanged")
  func reading() throws {
    let shop = try shop(saving: readable)
    #expect(shop.features[visits] == Visits(count: 41, text: "a"))
    #expect(!shop.features.isAttached(visits))
    #expect(try saved(shop) == ["states": ["visits": readable]])
  }

  @Test("a change continues with the saved state, and the feature continues with the change")
  func modifying() throws {
    var shop = try shop(saving: readable)
    shop.features[visits].count += 1
    #expect(shop.features[visits] == Visits(count: 42, text: "a"))
    #expect(try saved(shop) == ["states": ["visits": ["count": 42, "text": "a"]]])
    shop.features.attach(visits)
    #expect(shop.features[visits] == Visits(count: 42, text: "a"))
  }

  @Test("an assignment replaces the saved state")
  func assigning() throws {
    var shop = try shop(saving: readable)
    shop.features[visits] = Visits(count: 2)
    #expect(shop.features[visits] == Visits(count: 2))
    #expect(shop.features.unreadableStates.isEmpty)
    #expect(try saved(shop) == ["states": ["visits": ["count": 2, "text": ""]]])
  }

  @Test("the reducer of the app can change a saved state before the feature is attached")
  func reducing() throws {
    let features = Features(at: \Shop.features)
    let store = Store(
      reducer: { (shop: inout Shop, action: any Action) in
        if action is Bonus { shop.features[visits].count += 1 }
      }, plugins: [features.plugin], state: try shop(saving: readable))
    store.dispatch(Bonus())
    features.attach(visits)
    #expect(store.state.features[visits] == Visits(count: 42, text: "a"))
  }

  @Test("a saved state that cannot be decoded reads as the initial state, and is saved again unchanged")
  func readingUnreadable() throws {
    let shop = try shop(saving: unreadable)
    #expect(shop.features[visits] == Visits())
    #expect(try saved(shop) == ["states": ["visits": unreadable]])
  }

  @Test("a change keeps a saved state that cannot be decoded, and begins with the initial state")
  func modifyingUnreadable() throws {
    var shop = try shop(saving: unreadable)
    shop.features[visits].count += 1
    #expect(shop.features[visits] == Visits(count: 1))
    #expect(
      try saved(shop) == [
        "states": ["visits": ["count": 1, "text": ""]], "unreadable": ["visits": [unreadable]],
      ])
  }

  @Test("an assignment keeps a saved state that cannot be decoded")
  func assigningUnreadable() throws {
    var shop = try shop(saving: unreadable)
    shop.features[visits] = Visits(count: 2)
    #expect(shop.features[visits] == Visits(count: 2))
    #expect(shop.features.unreadableStates == ["visits": [unreadable]])
  }

  @Test("a feature without a saved state has its initial state, which can be changed")
  func withoutSavedState() throws {
    var shop = try shop(saving: nil)
    #expect(shop.features[visits] == Visits())
    shop.features[visits].count += 1
    #expect(shop.features[visits] == Visits(count: 1))
    #expect(shop.features.unreadableStates.isEmpty)
  }

  @Test("each different state that cannot be decoded is kept once, even if many runs save it")
  func repeatedUnreadable() throws {
    struct OnlyEncodable: FluxState, Equatable, Encodable {
      var number = 1
    }
    let number = Feature("number", state: OnlyEncodable()) {
      (state: inout OnlyEncodable, action: any Action) in
      if action is Visit { state.number += 1 }
    }
    var shop = Shop()
    for run in 0..<5 {
      let fixture = ShopFixture(state: shop)
      fixture.features.attach(number)
      if run == 2 { fixture.store.dispatch(Visit()) }
      shop = try decoded(
        JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(fixture.store.state)))
    }
    #expect(shop.features.unreadableStates == ["number": [["number": 1], ["number": 2]]])
  }
}
