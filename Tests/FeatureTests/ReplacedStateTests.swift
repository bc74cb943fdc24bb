import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// The attached features in a state that the reducer of the store has replaced.
@Suite("Features in a state that a reducer replaces", .unlessItHangs)
struct ReplacedStateTests {
  private struct LogOut: Action {}

  private struct LogIn: Action {
    let saved: Shop
  }

  private struct Fixture {
    let history: History<Shop>
    let features = Features(at: \Shop.features)
    let store: Store<Shop>

    init(keepingEvery interval: Int = 1, _ policy: UnrecordedActionPolicy = .preserved) {
      history = History(keepingEvery: interval, unrecorded: policy)
      store = Store(
        reducer: { (shop: inout Shop, action: any Action) in
          shopReducer(&shop, action)
          switch action {
          case is LogOut: shop = Shop()
          case let action as LogIn: shop = action.saved
          default: break
          }
        }, plugins: [history.plugin, features.plugin], state: Shop())
    }

    var count: Int { store.state.features[visits].count }

    func skipFirst() { store.dispatch(HistoryAction.skip(history.record.entries[0].id)) }
  }

  @Test("the features continue with their saved states in a state that was decoded")
  func decoded() throws {
    let json = #"{"features": {"states": {"visits": {"count": 7, "text": ""}}}, "sold": 0, "seen": []}"#
    let saved = try JSONDecoder().decode(Shop.self, from: Data(json.utf8))
    let shop = Fixture()
    shop.features.attach(visits)
    shop.store.dispatch(LogIn(saved: saved))
    #expect(shop.count == 7)
    shop.store.dispatch(Visit())
    #expect(shop.count == 8)
  }

  @Test("a saved state that cannot be decoded is reported, and kept")
  func unreadable() async throws {
    let reported = EventLog<FeatureError>()
    let json = #"{"features": {"states": {"visits": 7}}, "sold": 0, "seen": []}"#
    let saved = try JSONDecoder().decode(Shop.self, from: Data(json.utf8))
    let features = Features(at: \Shop.features) { reported.record($0) }
    let store = Store(
      reducer: { (shop: inout Shop, action: any Action) in
        if let action = action as? LogIn { shop = action.saved }
      }, plugins: [features.plugin], state: Shop())
    features.attach(visits)
    store.dispatch(LogIn(saved: saved))
    store.dispatch(Visit())
    await reported.count(atLeast: 1)
    #expect(reported.values.map(\.code) == [.unreadableState])
    #expect(store.state.features.unreadableStates == ["visits": [7]])
  }

  @Test("a replay of the replacement leaves the features attached, as they were the first time")
  func replayed() {
    let shop = Fixture()
    shop.store.dispatch(Sell())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(LogOut())
    for _ in 0..<2 { shop.store.dispatch(Visit()) }
    #expect(shop.store.state.seen == [1, 2])
    shop.skipFirst()
    #expect(shop.count == 2)
    #expect(shop.store.state.seen == [1, 2])
  }

  @Test("a replay attaches no feature that was attached after the replacement")
  func attachedLater() {
    let shop = Fixture()
    shop.store.dispatch(Sell())
    shop.store.dispatch(LogOut())
    shop.store.dispatch(Visit())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.skipFirst()
    #expect(shop.count == 1)
    #expect(shop.store.state.seen == [0, 1])
  }

  @Test("a replay attaches a feature that was detached after the replacement, until its end")
  func detachedLater() {
    let shop = Fixture()
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(LogOut())
    shop.store.dispatch(Visit())
    attached.detach(keepingState: true)
    shop.store.dispatch(Visit())
    shop.skipFirst()
    #expect(shop.count == 1)
    #expect(shop.store.state.seen == [1, 1])
    #expect(!shop.store.state.features.isAttached(visits))
  }

  @Test("a replay from the kept state of the replacement attaches the features again", arguments: [1, 2, 3])
  func keptReplacement(interval: Int) {
    let shop = Fixture(keepingEvery: interval)
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(LogOut())
    for _ in 0..<4 { shop.store.dispatch(Visit()) }
    for _ in 0..<3 { shop.store.dispatch(HistoryAction.undo) }
    #expect(shop.count == 1)
    #expect(shop.store.state.seen == [1])
  }

  @Test("an entry is amended if a feature is detached without its state after the replacement")
  func detachedAfterReplacement() {
    let shop = Fixture(keepingEvery: 5, .undoneWithEntry)
    let attached = shop.features.attach(visits)
    shop.store.dispatch(LogOut())
    attached.detach(keepingState: false)
    #expect(shop.history.record.entries.map(\.isAmended) == [true])
    for _ in 0..<2 { shop.store.dispatch(Visit()) }
    shop.store.dispatch(HistoryAction.undo)
    #expect(shop.store.state.seen == [0])
  }

  @Test("undoing a replacement at once, and redoing it, amends no entry", arguments: [1, 2, 5])
  func undoneReplacement(interval: Int) {
    let shop = Fixture(keepingEvery: interval, .undoneWithEntry)
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(HistoryAction.commit)
    shop.store.dispatch(LogOut())
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(HistoryAction.redo)
    shop.store.dispatch(Sell())
    #expect(shop.history.record.entries.map(\.isAmended) == [false, false])
    shop.skipFirst()
    #expect(shop.count == 1)
    #expect(shop.store.state.seen == [1])
  }

  @Test("after a jump to the base, a replay repeats the changes of features once", arguments: [1, 2, 5])
  func jumpToBase(interval: Int) {
    let shop = Fixture(keepingEvery: interval)
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    shop.store.dispatch(HistoryAction.commit)
    shop.store.dispatch(Visit())
    attached.detach(keepingState: false)
    shop.features.attach(visits)
    shop.store.dispatch(HistoryAction.jump(to: 0))
    shop.store.dispatch(Visit())
    #expect(shop.count == 1)
    shop.store.dispatch(HistoryAction.undo)
    shop.store.dispatch(HistoryAction.redo)
    #expect(shop.count == 1)
    #expect(shop.store.state.seen == [1, 1])
  }

  @Test(
    "a history that keeps few states shows the same states as one that keeps all of them",
    arguments: [UnrecordedActionPolicy.preserved, .undoneWithEntry], UInt64(1)...60)
  func sameStates(policy: UnrecordedActionPolicy, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let shops = [1, 2, 3, 5, 50].map { Fixture(keepingEvery: $0, policy) }
    var attached: [[AttachedFeature<Visits>]] = []
    var path: [Int] = []
    for _ in 0..<30 {
      path.append(Int.random(in: 0..<16, using: &random))
      let isKept = Bool.random(using: &random)
      switch path.last {
      case 0: attached.append(shops.map { $0.features.attach(visits) })
      case 1: attached.popLast()?.forEach { $0.detach(keepingState: isKept) }
      case 2: shops.forEach { $0.store.dispatch(Sell()) }
      case 3, 4: shops.forEach { $0.store.dispatch(HistoryAction.undo) }
      case 5: shops.forEach { $0.store.dispatch(HistoryAction.redo) }
      case 6: shops.forEach { $0.store.dispatch(LogOut()) }
      case 9: shops.forEach { $0.store.dispatch(HistoryAction.jump(to: 1)) }
      case 10:
        guard !shops[0].history.record.entries.isEmpty else { continue }
        shops.forEach { $0.skipFirst() }
      case 11: shops.forEach { $0.store.dispatch(HistoryAction.commit) }
      case 12: shops.forEach { $0.store.dispatch(HistoryAction.reset) }
      case 13: shops.forEach { $0.store.dispatch(HistoryAction.rollback) }
      case 14: shops.forEach { $0.store.dispatch(isKept ? HistoryAction.pause : .resume) }
      case 15:
        guard let branch = shops[0].history.record.branches.first else { continue }
        shops.forEach { $0.store.dispatch(HistoryAction.jump(to: branch.last)) }
      default: shops.forEach { $0.store.dispatch(Visit()) }
      }
      for shop in shops.dropFirst() {
        let (state, expected) = (shop.store.state, shops[0].store.state)
        #expect(state.features[visits] == expected.features[visits], "\(path)")
        #expect(state.features.attachedNames == expected.features.attachedNames, "\(path)")
        #expect(state.sold == expected.sold && state.seen == expected.seen, "\(path)")
      }
      if path.last != 6 {
        #expect(shops[0].store.state.features.isAttached(visits) == !attached.isEmpty, "\(path)")
      }
    }
  }
}
