import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// The attached features in states that a history restores, before the next action.
@Suite("Features in restored states", .unlessItHangs)
struct RestoredFeatureTests {
  private static let policies = [UnrecordedActionPolicy.preserved, .undoneWithEntry]
  private static let commands = [HistoryAction.undo, .rollback, .reset, .jump(to: 0)]

  private let savedVisits =
    #"{"features": {"states": {"visits": {"count": 7, "text": ""}}}, "sold": 0, "seen": []}"#

  private func decoded(_ json: String) throws -> Shop {
    try JSONDecoder().decode(Shop.self, from: Data(json.utf8))
  }

  @Test("no command of a history detaches a feature", arguments: policies, commands)
  func attached(policy: UnrecordedActionPolicy, command: HistoryAction) {
    let shop = ShopFixture(before: [History<Shop>(unrecorded: policy).plugin])
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(command)
    #expect(shop.store.state.sold == 0)
    #expect(attached.isAttached)
    #expect(shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test("no command of a history attaches a feature that was detached", arguments: policies, commands)
  func detached(policy: UnrecordedActionPolicy, command: HistoryAction) {
    let shop = ShopFixture(before: [History<Shop>(unrecorded: policy).plugin])
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Sell())
    attached.detach(keepingState: true)
    shop.store.dispatch(command)
    #expect(shop.store.state.sold == 0)
    #expect(!shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 0)
  }

  @Test("an undo and a redo repeat actions before the attachment without the feature")
  func redone() {
    let history = History<Shop>(keepingEvery: 10, unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin])
    shop.store.dispatch(Visit())
    shop.store.dispatch(Visit())
    shop.features.attach(visits)
    for _ in 0..<2 { shop.store.dispatch(HistoryAction.undo) }
    shop.store.dispatch(HistoryAction.redo)
    #expect(shop.visits.count == 0)
    #expect(shop.store.state.seen == [0])
    #expect(shop.store.state.features.isAttached(visits))
    shop.store.dispatch(HistoryAction.redo)
    #expect(shop.visits.count == 0)
    #expect(shop.store.state.seen == [0, 0])
  }

  @Test("an action after an undo amends the entry with the features that the undo attached")
  func amended() {
    let history = History<Shop>(keepingEvery: 10, unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin])
    for _ in 0..<2 { shop.store.dispatch(Sell()) }
    shop.features.attach(visits)
    shop.store.dispatch(HistoryAction.undo)
    #expect(history.record.entries.map(\.isAmended) == [false, true])
    for _ in 0..<2 { shop.store.dispatch(Visit()) }
    #expect(history.record.entries.map(\.isAmended) == [true, false, false])
    shop.store.dispatch(HistoryAction.undo)
    #expect(shop.visits.count == 1)
    #expect(shop.store.state.seen == [1])
  }

  @Test("an undo to a state with the attached features amends no entry")
  func notAmended() {
    let history = History<Shop>(unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin])
    shop.features.attach(visits)
    for _ in 0..<2 { shop.store.dispatch(Visit()) }
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(Visit())
    #expect(history.record.entries.map(\.isAmended) == [false, false])
    #expect(shop.visits.count == 2)
  }

  @Test("an undo of a second attachment amends no entry")
  func secondAttachment() {
    let history = History<Shop>(keepingEvery: 10, unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin])
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(Sell())
    #expect(history.record.entries.map(\.isAmended) == [false, false])
    #expect(shop.visits.count == 1)
  }

  @Test("an undo to a state before the attachment hands over the saved state again")
  func saved() throws {
    let history = History<Shop>(unrecorded: .undoneWithEntry)
    let shop = ShopFixture(before: [history.plugin], state: try decoded(savedVisits))
    shop.store.dispatch(Sell())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 8)
    for _ in 0..<2 { shop.store.dispatch(HistoryAction.undo) }
    #expect(shop.visits.count == 7)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 8)
  }

  @Test("a saved state that cannot be decoded after an undo is reported once")
  func unreadable() async throws {
    let reported = EventLog<FeatureError>()
    let history = History<Shop>()
    let features = Features(at: \Shop.features) { reported.record($0) }
    let state = try decoded(#"{"features": {"states": {"visits": 7}}, "sold": 0, "seen": []}"#)
    let store = Store(reducer: shopReducer, plugins: [history.plugin, features.plugin], state: state)
    store.dispatch(Sell())
    features.attach(visits)
    await reported.count(atLeast: 1)
    store.dispatch(HistoryAction.reset)
    await reported.count(atLeast: 2)
    store.dispatch(Visit())
    #expect(reported.values.map(\.code) == [.unreadableState, .unreadableState])
    #expect(store.state.features.unreadableStates == ["visits": [7]])
  }

  @Test("no reducer receives an additional action, wherever the plug-in of the features is")
  func noAdditionalAction() {
    for isBefore in [true, false] {
      let received = Recorder<String>()
      let history = History<Shop>(unrecorded: .undoneWithEntry)
      let recording = Plugin<Shop>(wrapReducer: { reducer in
        { shop, action in
          received.record("\(action)")
          reducer(&shop, action)
        }
      })
      let shop = ShopFixture(
        before: isBefore ? [] : [history.plugin],
        after: (isBefore ? [history.plugin] : []) + [recording])
      shop.store.dispatch(Sell())
      shop.features.attach(visits)
      shop.store.dispatch(HistoryAction.undo)
      shop.store.dispatch(Put(item: "bread"))
      #expect(received.values == ["Sell()", "FeatureAttached(visits)", "Put(item: \"bread\")"])
    }
  }

  @Test("the states of two objects contain the attached features after an undo")
  func twoObjects() {
    struct Mall: FluxState {
      var shop = Shop()
      var features = FeatureStates()
    }
    let history = History<Mall>(unrecorded: .undoneWithEntry)
    let inner = Features(at: \Mall.shop.features)
    let outer = Features(at: \Mall.features)
    let store = Store(
      reducer: lift(shopReducer, to: \Mall.shop), plugins: [history.plugin, inner.plugin, outer.plugin],
      state: Mall())
    store.dispatch(Sell())
    inner.attach(visits)
    outer.attach(basket)
    store.dispatch(HistoryAction.undo)
    #expect(store.state.shop.features.attachedNames == ["visits"])
    #expect(store.state.features.attachedNames == ["basket"])
  }

  @Test("an import into a store attaches the features before the next action")
  func imported() throws {
    let registry = ActionRegistry(Sell.self, Visit.self)
    let history = History<Shop>()
    let shop = ShopFixture(before: [history.plugin])
    shop.store.dispatch(Sell())
    shop.store.dispatch(HistoryAction.undo)
    let data = try history.export(from: shop.store, with: registry)
    let other = History<Shop>()
    let later = ShopFixture(before: [other.plugin])
    later.features.attach(visits)
    later.store.dispatch(try other.importing(data, with: registry))
    #expect(later.store.state.features.isAttached(visits))
  }
}
