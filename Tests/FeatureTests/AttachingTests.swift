import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Attaching and detaching features")
struct AttachingTests {
  private let shop = ShopFixture()

  @Test("a feature that is not attached has its initial state, and reduces no actions")
  func notAttached() {
    shop.store.dispatch(Visit())
    #expect(shop.visits == Visits())
    #expect(!shop.store.state.features.isAttached(visits))
    #expect(shop.store.state.features.attachedNames.isEmpty)
  }

  @Test("an attached feature reduces the actions that follow, before the reducer of the store")
  func attached() {
    shop.store.dispatch(Visit())
    let attached = shop.features.attach(visits)
    #expect(attached.isAttached)
    #expect(shop.store.state.features.isAttached(visits))
    #expect(shop.visits == Visits())
    shop.store.dispatch(Visit(text: "a"))
    shop.store.dispatch(Visit(text: "b"))
    #expect(shop.visits == Visits(count: 2, text: "ab"))
    #expect(shop.store.state.seen == [0, 1, 2])
  }

  @Test("several features are attached at the same time, and each has its own state")
  func several() {
    shop.features.attach(visits)
    shop.features.attach(basket)
    shop.store.dispatch(Put(item: "bread"))
    shop.store.dispatch(Visit())
    #expect(shop.store.state.features.attachedNames == ["visits", "basket"])
    #expect(shop.visits.count == 1)
    #expect(shop.basket.items == ["bread"])
  }

  @Test("a detached feature reduces no actions, and keeps its state if asked")
  func keeping() {
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    attached.detach(keepingState: true)
    #expect(!attached.isAttached)
    #expect(!shop.store.state.features.isAttached(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 2)
  }

  @Test("a feature whose state is discarded begins again with its initial state")
  func discarding() {
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit())
    attached.detach(keepingState: false)
    #expect(shop.visits == Visits())
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test("detaching twice has no effect")
  func twice() {
    let first = shop.features.attach(visits)
    first.detach(keepingState: true)
    let second = shop.features.attach(visits)
    first.detach(keepingState: false)
    #expect(second.isAttached)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
  }

  @Test(
    "a feature with two attachments is detached with the last one, in either order", arguments: [true, false])
  func twoAttachments(firstLeavesFirst: Bool) {
    let (first, second) = (shop.features.attach(visits), shop.features.attach(visits))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
    (firstLeavesFirst ? first : second).detach(keepingState: false)
    #expect(first.isAttached != firstLeavesFirst && second.isAttached == firstLeavesFirst)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 2)
    (firstLeavesFirst ? second : first).detach(keepingState: false)
    #expect(shop.visits == Visits())
    #expect(!shop.store.state.features.isAttached(visits))
  }

  @Test("a feature can be attached again with another reducer, which continues with the kept state")
  func otherReducer() {
    shop.features.attach(visits).detach(keepingState: true)
    let doubling = Feature("visits", state: Visits()) { (state: inout Visits, action: any Action) in
      if action is Visit { state.count += 2 }
    }
    shop.features.attach(doubling)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 2)
  }

  @Test("attaching and detaching are actions that plug-ins receive in the order of all actions")
  func actions() {
    let log = Recorder<String>()
    let shop = ShopFixture(before: [
      Plugin(onTransition: .actions { action, version in log.record("\(version) \(action)") })
    ])
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Sell())
    attached.detach(keepingState: true)
    #expect(
      log.values == ["1 Sell()", "2 FeatureAttached(visits)", "3 Sell()", "4 FeatureDetached(visits)"])
  }

  @Test("a log shows the states of features under their names")
  func log() {
    let lines = Recorder<String>()
    let shop = ShopFixture(before: [.logging(buffer: 0, sink: LogSink { lines.record($0) })])
    let attached = shop.features.attach(visits)
    shop.store.dispatch(Visit(text: "a"))
    attached.detach(keepingState: false)
    let text = lines.values.joined(separator: "\n")
    #expect(text.contains("FeatureAttached(visits)"))
    #expect(text.contains("features.states[\"visits\"].count: 0 → 1"))
    #expect(text.contains("FeatureDetached(visits)"))
    #expect(!text.contains("revision") && !text.contains("FeatureStateCell"))
  }

  @Test("the reducer of a feature receives the action that attaches it, but not its detachment")
  func ownActions() {
    let feature = Feature("log", state: Basket()) { (state: inout Basket, action: any Action) in
      state.items.append("\(action)")
    }
    let attached = shop.features.attach(feature)
    attached.detach(keepingState: true)
    #expect(shop.store.state.features[feature].items == ["FeatureAttached(log)"])
  }

  @Test("an observer can attach a feature, and the feature receives the next action")
  func reentrant() {
    let features = shop.features
    let token = shop.store.subscribe(to: \.sold) { sold in
      if sold == 1 { features.attach(visits) }
    }
    shop.store.dispatch(Sell())
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("a middleware can drop the action, and then nothing is attached")
  func dropped() {
    let heard = Recorder<String>()
    let shop = ShopFixture(middleware: [
      { _, _ in { next in { action in if !(action is FeatureAttached) { next(action) } } } }
    ])
    let feature = Feature(
      "visits", state: Visits(), reducer: visits.reducer,
      middleware: [
        { _, _ in
          { next in
            { action in
              heard.record("\(action)"); next(action)
            }
          }
        }
      ])
    let attached = shop.features.attach(feature)
    #expect(!attached.isAttached)
    shop.store.dispatch(Visit())
    #expect(shop.visits == Visits())
    #expect(heard.values.isEmpty)
    attached.detach(keepingState: true)
  }

  @Test("two features with one name and different types of state stop the program")
  func twoTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = ShopFixture()
      shop.features.attach(visits)
      shop.features.attach(
        Feature("visits", state: Basket()) { (_: inout Basket, _: any Action) in })
    }
    expect(result, says: "two features with the name visits have different types of state")
  }

  @Test("an assignment to the name of an attached feature with another type of state stops the program")
  func assignedTwoTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = ShopFixture()
      shop.features.attach(visits)
      var state = shop.store.state
      state.features[Feature("visits", state: Basket()) { (_: inout Basket, _: any Action) in }] = Basket()
    }
    expect(result, says: "two features with the name visits have different types of state")
  }

  @Test("another feature with the name of an attached feature is reported, and its code is not used")
  func otherFeature() {
    let shop = ShopFixture()
    let other = Feature("visits", state: Visits()) { (state: inout Visits, action: any Action) in
      if action is Visit { state.count += 100 }
    }
    let first = shop.features.attach(visits)
    let second = shop.features.attach(other)
    #expect(shop.problems.values.map(\.code) == [.otherFeature])
    let text = shop.problems.values.first.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("Another feature with the name visits is attached, so its code is used: "))
    #expect(text.contains("FeatureTests/Shop.swift:") && text.contains("FeatureTests/AttachingTests.swift:"))
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 1)
    first.detach(keepingState: true)
    second.detach(keepingState: true)
    shop.features.attach(other)
    #expect(shop.problems.count == 1)
    shop.store.dispatch(Visit())
    #expect(shop.visits.count == 101)
  }

  @Test("a feature that one line of code creates several times is one feature")
  func sameLine() {
    func make() -> Feature<Visits> { Feature("visits", state: Visits(), reducer: visits.reducer) }
    let shop = ShopFixture()
    let attached = [shop.features.attach(make()), shop.features.attach(make())]
    #expect(shop.problems.values.isEmpty)
    attached[0].detach(keepingState: false)
    #expect(attached[1].isAttached)
  }

  @Test("a kept state of another type stops the program")
  func keptTwoTypes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let shop = ShopFixture()
      shop.features.attach(visits).detach(keepingState: true)
      shop.features.attach(
        Feature("visits", state: Basket()) { (_: inout Basket, _: any Action) in })
    }
    expect(result, says: "two features with the name visits have different types of state")
  }

  // A table of the types of all names would grow without bound.
  @Test("a feature whose state was discarded does not determine the type of later states")
  func otherType() async {
    await #expect(processExitsWith: .success) {
      let shop = ShopFixture()
      shop.features.attach(visits).detach(keepingState: false)
      let other = Feature("visits", state: basket.initialState, reducer: basket.reducer)
      shop.features.attach(other)
      shop.store.dispatch(Put(item: "bread"))
      #expect(shop.store.state.features[other].items == ["bread"])
    }
  }

  @Test("a feature that is attached without a store stops the program")
  func noStore() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Features(at: \Shop.features).attach(visits)
    }
    expect(result, says: "the Features object has no store")
  }

  @Test("a Features object in two stores stops the program")
  func twoStores() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let features = Features(at: \Shop.features)
      let stores = (0..<2).map { _ in
        Store(reducer: shopReducer, plugins: [features.plugin], state: Shop())
      }
      withExtendedLifetime(stores) {}
    }
    expect(result, says: "a Features object was added to a second store")
  }

  @Test("attaching to a store that was released has no effect")
  func released() {
    var store: Store<Shop>?
    let features = Features(at: \Shop.features)
    store = Store(reducer: shopReducer, plugins: [features.plugin], state: Shop())
    withExtendedLifetime(store) {}
    store = nil
    let attached = features.attach(visits)
    #expect(!attached.isAttached)
    #expect(attached.store.state == nil)
    attached.detach(keepingState: true)
  }

  @Test("with deferred actions, a feature is attached when its action is reduced")
  func deferred() async {
    let shop = ShopFixture(before: [.deferredToMain])
    let attached = shop.features.attach(visits)
    await shop.store.dispatchAsync(Visit()).finished()
    #expect(attached.isAttached)
    #expect(shop.visits.count == 1)
    attached.detach(keepingState: false)
    await shop.store.dispatchAsync(Visit()).finished()
    #expect(!attached.isAttached)
    #expect(shop.visits == Visits())
  }

  @Test("a feature that is part of the store from the beginning behaves alike")
  func fixed() {
    struct App: FluxState {
      var visits = Visits()
      var seen = 0
    }
    let heard = Recorder<Int>()
    let counting = Feature(
      "visits", state: Visits(), reducer: visits.reducer,
      middleware: [
        { _, getState in
          { next in
            { action in
              heard.record(getState()?.count ?? -1); next(action)
            }
          }
        }
      ])
    let store = Store(
      reducer: { (app: inout App, _: any Action) in app.seen = app.visits.count },
      plugins: [counting.plugin(at: \App.visits)], state: App())
    store.dispatch(Visit())
    store.dispatch(Visit())
    #expect(store.state.visits.count == 2)
    #expect(store.state.seen == 2)
    #expect(heard.values == [0, 1])
  }
}
