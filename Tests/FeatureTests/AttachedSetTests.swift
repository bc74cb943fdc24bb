import FluxAsync
import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

/// The set of attached features while histories replace the state, and middleware delay actions.
@Suite("The set of attached features", .unlessItHangs)
struct AttachedSetTests {
  private struct LogOut: Action {}

  /// A store with a history, whose reducer can replace the whole state.
  private struct Fixture {
    let history: History<Shop>
    let features = Features(at: \Shop.features)
    let store: Store<Shop>

    init(limit: Int = 100, _ policy: UnrecordedActionPolicy = .preserved, state: Shop = Shop()) {
      history = History(limit: limit, unrecorded: policy)
      store = Store(
        reducer: { (shop: inout Shop, action: any Action) in
          shopReducer(&shop, action)
          if action is LogOut { shop = Shop() }
        },
        plugins: [history.plugin, features.plugin], state: state)
    }

    var count: Int { store.state.features[visits].count }

    func skipFirst() { store.dispatch(HistoryAction.skip(history.record.entries[0].id)) }
  }

  @Test("a reset of the history and an undo leave the features attached")
  func reset() {
    let shop = Fixture()
    let attached = shop.features.attach(visits)
    shop.store.dispatch(HistoryAction.reset)
    #expect(attached.store.state == Visits())
    shop.store.dispatch(Sell())
    shop.features.attach(basket)
    shop.store.dispatch(HistoryAction.undo)
    shop.features.attach(basket)
    #expect(attached.isAttached)
    shop.store.dispatch(Visit())
    #expect(shop.count == 1)
  }

  @Test("a reducer that replaces the state, and a replay after that, leave the features attached")
  func logOut() {
    let shop = Fixture()
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Sell())
    shop.store.dispatch(LogOut())
    shop.features.attach(basket)
    shop.skipFirst()
    shop.store.dispatch(Visit())
    #expect(shop.count == 1)
    shop.features.attach(basket)
    #expect(attached.isAttached)
  }

  @Test("two attachments that were removed are not repeated by a replay", arguments: [true, false])
  func twoAttachments(keeping: Bool) {
    let shop = Fixture()
    shop.store.dispatch(Sell())
    let first = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    let second = shop.features.attach(visits)
    first.detach(keepingState: keeping)
    second.detach(keepingState: keeping)
    shop.skipFirst()
    #expect(!shop.store.state.features.isAttached(visits))
    #expect(shop.count == (keeping ? 1 : 0))
    shop.store.dispatch(Visit())
    #expect(shop.count == (keeping ? 1 : 0))
  }

  @Test("with a restored state, an action before the attachment has no effect when it is repeated")
  func restored() throws {
    let json = #"{"features": {"states": {"visits": {"count": 7, "text": ""}}}, "sold": 0, "seen": []}"#
    let shop = Fixture(state: try JSONDecoder().decode(Shop.self, from: Data(json.utf8)))
    shop.store.dispatch(Sell())
    shop.store.dispatch(Visit())
    shop.features.attach(visits)
    shop.skipFirst()
    #expect(shop.count == 7)
  }

  @Test(
    "in random sequences with undo, skip, and reset, exactly the attached features reduce the next action",
    arguments: UInt64(1)...40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for shop in [Fixture(), Fixture(limit: 3), Fixture(.undoneWithEntry)] {
      var attached: [AttachedFeature<Visits>] = []
      var path: [Int] = []
      for _ in 0..<25 {
        path.append(Int.random(in: 0..<10, using: &random))
        switch path.last {
        case 0, 1: attached.append(shop.features.attach(visits))
        case 2, 3:
          if let index = attached.indices.randomElement(using: &random) {
            attached.remove(at: index).detach(keepingState: Bool.random(using: &random))
          }
        case 4: shop.store.dispatch(Sell())
        case 5: shop.store.dispatch(HistoryAction.undo)
        case 6: shop.store.dispatch(HistoryAction.redo)
        case 7:
          if let entry = shop.history.record.entries.randomElement(using: &random) {
            shop.store.dispatch(
              entry.isSkipped ? HistoryAction.unskip(entry.id) : HistoryAction.skip(entry.id))
          }
        case 8:
          shop.store.dispatch(Bool.random(using: &random) ? LogOut() as any Action : HistoryAction.reset)
        default: shop.store.dispatch(Visit())
        }
        let isAttached = !attached.isEmpty
        if path.last.map((5...7).contains) == true {
          #expect(shop.store.state.features.isAttached(visits) == isAttached, "\(path)")
        }
        let before = shop.count
        shop.store.dispatch(Visit())
        // After the state was replaced, the next action starts with the initial state.
        #expect(isAttached ? shop.count > 0 : shop.count == before, "\(path)")
        #expect(shop.store.state.features.isAttached(visits) == isAttached, "\(path)")
        let areAttached = attached.allSatisfy { $0.isAttached }
        #expect(areAttached, "\(path)")
      }
    }
  }

  // MARK: Unusual orders

  @Test("a feature that joins and leaves in one batch reduces exactly the actions between")
  func batch() {
    let shop = ShopFixture()
    let seen = Recorder<Int>()
    let token = shop.store.subscribe(to: { $0.features[visits].count }, initial: false) { seen.record($0) }
    shop.store.batch {
      shop.store.dispatch(Visit())
      let attached = shop.features.attach(visits)
      attached.store.dispatch(Visit())
      attached.detach(keepingState: true)
      attached.store.dispatch(Visit())
    }
    #expect(seen.values == [1])
    #expect(shop.problems.values.map(\.code) == [.actionAfterDetach])
    withExtendedLifetime(token) {}
  }

  @Test("the app's reducer can change the state of an attached feature, and an undo restores it")
  func changedByApp() {
    let history = History<Shop>()
    let features = Features(at: \Shop.features)
    let store = Store(
      reducer: { (shop: inout Shop, action: any Action) in
        if action is LogOut { shop.features[visits].count = 100 }
      }, plugins: [history.plugin, features.plugin], state: Shop())
    features.attach(visits)
    store.dispatch(Visit())
    store.dispatch(LogOut())
    store.dispatch(Visit())
    #expect(store.state.features[visits].count == 101)
    store.dispatch(HistoryAction.undo)
    store.dispatch(HistoryAction.undo)
    #expect(store.state.features[visits].count == 1)
    store.dispatch(Visit())
    #expect(store.state.features[visits].count == 2)
  }

  @Test("two Features objects in one store do not affect each other, even for features with one name")
  func twoObjects() {
    struct Mall: FluxState {
      var left = FeatureStates()
      var right = FeatureStates()
    }
    let (left, right) = (Features(at: \Mall.left), Features(at: \Mall.right))
    let store = Store(
      reducer: { (_: inout Mall, _: any Action) in }, plugins: [left.plugin, right.plugin], state: Mall())
    let first = left.attach(visits)
    store.dispatch(Visit())
    right.attach(visits)
    store.dispatch(Visit())
    first.detach(keepingState: true)
    store.dispatch(Visit())
    #expect(store.state.left[visits].count == 2)
    #expect(store.state.right[visits].count == 2)
    #expect(!store.state.left.isAttached(visits) && store.state.right.isAttached(visits))
  }

  // MARK: Late actions

  private func holding<Held: Action>(_ type: Held.Type, in held: Recorder<@Sendable () -> Void>)
    -> Middleware<Shop>
  {
    { _, _ in
      { next in
        { action in if action is Held { held.record { next(action) } } else { next(action) } }
      }
    }
  }

  @Test("an attachment that a middleware passes on later is refused, and its proxy drops actions")
  func lateAttachment() {
    let held = Recorder<@Sendable () -> Void>()
    let shop = ShopFixture(middleware: [holding(FeatureAttached.self, in: held)])
    let attached = shop.features.attach(visits)
    attached.store.dispatch(Sell())
    for send in held.takeAll() { send() }
    #expect(!attached.isAttached)
    #expect(!shop.store.state.features.isAttached(visits))
    #expect(shop.store.state.sold == 0)
    #expect(shop.problems.values.map(\.code) == [.actionAfterDetach])
  }

  @Test("a detachment that a middleware passes on later ends the work and the subscriptions")
  func lateDetachment() async {
    let held = Recorder<@Sendable () -> Void>()
    let seen = EventLog<Int>()
    let shop = ShopFixture(middleware: [holding(FeatureDetached.self, in: held)])
    let released = EventLog<Void>()
    let tracker = LifetimeTracker()
    var feature: Feature<Visits>? = Feature(
      "visits", state: Visits(), reducer: visits.reducer,
      middleware: [
        { [object = tracker.make(onDeinit: { released.record(()) })] _, _ in
          { next in
            {
              object.touch(); next($0)
            }
          }
        }
      ])
    var attached: AttachedFeature<Visits>? = shop.features.attach(feature!)
    let token = attached?.store.subscribe(to: \.count) { seen.record($0) }
    attached?.detach(keepingState: true)
    #expect(attached?.isAttached == true)
    for send in held.takeAll() { send() }
    #expect(attached?.isAttached == false)
    (feature, attached) = (nil, nil)
    await released.count(atLeast: 1)
    shop.store.dispatch(Visit())
    #expect(seen.values == [0])
    withExtendedLifetime((token, feature, attached)) {}
  }

  @Test("an action that attaches a feature has no effect when it is dispatched again")
  func again() {
    let actions = Recorder<any Action>()
    let shop = ShopFixture(before: [
      Plugin(onTransition: .actions { action, _ in if action is FeatureAttached { actions.record(action) } })
    ])
    let attached = shop.features.attach(visits)
    shop.store.dispatch(actions.values[0])
    attached.detach(keepingState: true)
    shop.store.dispatch(actions.values[0])
    #expect(!shop.store.state.features.isAttached(visits))
  }

  @Test("with deferred actions, a feature is detached although it was not attached yet")
  func deferred() async {
    let shop = ShopFixture(before: [.deferredToMain])
    let attached = shop.features.attach(visits)
    attached.detach(keepingState: false)
    await shop.store.dispatchAsync(Visit()).finished()
    #expect(!attached.isAttached)
    #expect(!shop.store.state.features.isAttached(visits))
    #expect(shop.visits == Visits())
  }

  @Test("the reducers run in the order of the attachments, also after a state was kept")
  func order() {
    let order = Recorder<String>()
    let shop = ShopFixture()
    func feature(_ name: String) -> Feature<Basket> {
      Feature(name, state: Basket()) { (_: inout Basket, action: any Action) in
        if action is Sell { order.record(name) }
      }
    }
    let first = shop.features.attach(feature("a"))
    shop.features.attach(feature("b"))
    first.detach(keepingState: true)
    shop.features.attach(feature("a"))
    shop.store.dispatch(Sell())
    #expect(order.values == ["b", "a"])
    #expect(shop.store.state.features.attachedNames == ["b", "a"])
  }
}
