import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Plug-ins of features", .unlessItHangs)
struct FeaturePluginTests {
  private let log = Recorder<String>()
  private let shop = ShopFixture()

  /// A plug-in that records everything that it receives.
  private static func recording(_ name: String, in log: Recorder<String>) -> Plugin<Visits> {
    Plugin(
      middleware: { _, getState in
        log.record("\(name) middleware")
        return { next in
          { action in
            log.record("\(name) \(type(of: action)) \(getState()?.count ?? -1)")
            next(action)
          }
        }
      },
      wrapReducer: { reducer in
        { state, action in
          reducer(&state, action)
          if action is Visit { state.text += name }
        }
      },
      onTransition: .states { transition in
        log.record(
          "\(name) \(type(of: transition.action)) \(transition.before.count)>\(transition.after.count)")
      },
      onStoreStart: { _ in log.record("\(name) starts") },
      onStoreEnd: { last in log.record("\(name) ends with \(last.count)") })
  }

  private func recording(_ names: String...) -> Feature<Visits> {
    let log = log
    return Feature(
      "visits", state: Visits(), reducer: visits.reducer,
      plugins: { names.map { Self.recording($0, in: log) } })
  }

  private func feature(_ plugin: @escaping @Sendable () -> Plugin<Visits>) -> Feature<Visits> {
    Feature("visits", state: Visits(), reducer: visits.reducer, plugins: { [plugin()] })
  }

  // MARK: What plug-ins receive

  @Test(
    "plug-ins start, receive actions and transitions while the feature is attached, and end with its last state"
  )
  func life() {
    let attached = shop.features.attach(recording("a"))
    shop.store.dispatch(Visit())
    attached.detach(keepingState: false)
    shop.store.dispatch(Visit())
    #expect(
      log.values == [
        "a starts", "a middleware", "a FeatureAttached 0>0", "a Visit 0", "a Visit 0>1",
        "a FeatureDetached 1",
        "a ends with 1",
      ])
  }

  @Test("a feature that belongs to the store from the beginning has the same plug-ins, in the same order")
  func fromTheBeginning() {
    struct App: FluxState { var visits = Visits() }
    var store: Store? = Store(
      reducer: { (_: inout App, _: any Action) in }, plugins: [recording("a", "b").plugin(at: \App.visits)],
      state: App())
    store?.dispatch(Visit())
    #expect(store?.state.visits == Visits(count: 1, text: "ba"))
    store = nil
    #expect(
      log.values == [
        "a starts", "b starts", "a middleware", "b middleware", "a Visit 0", "b Visit 0", "a Visit 0>1",
        "b Visit 0>1", "a ends with 1", "b ends with 1",
      ])
  }

  @Test("the reducer wrappers of plug-ins wrap only the reducer of the feature")
  func wrapped() {
    shop.features.attach(recording("a", "b"))
    shop.store.dispatch(Visit(text: "-"))
    #expect(shop.visits.text == "-ba")
    #expect(shop.store.state.seen == [1])
  }

  @Test("an undo restores the state that a reducer wrapper changed")
  func undone() {
    let history = History<Shop>()
    let shop = ShopFixture(before: [history.plugin])
    shop.features.attach(recording("a"))
    shop.store.dispatch(Visit())
    shop.store.dispatch(Visit())
    shop.store.dispatch(HistoryAction.undo)
    #expect(shop.visits == Visits(count: 1, text: "a"))
    #expect(log.values.last == "a HistoryAction 2>1")
  }

  @Test("each attachment after the last detachment creates new plug-ins")
  func again() {
    let created = Shared(0)
    let log = log
    let feature = feature { Self.recording("\(created.increment())", in: log) }
    for _ in 0..<3 { shop.features.attach(feature).detach(keepingState: true) }
    #expect(log.values.filter { $0.hasSuffix("starts") }.count == 3)
    #expect(log.values.filter { $0.contains("ends") }.count == 3)
    #expect(Set(log.values.map { $0.prefix(1) }).count == 3)
  }

  @Test("several attachments share the plug-ins, which end with the last attachment")
  func shared() {
    let (first, second) = (shop.features.attach(recording("a")), shop.features.attach(recording("b")))
    #expect(!log.values.contains("b starts"))
    first.detach(keepingState: true)
    shop.store.dispatch(Visit())
    #expect(log.values.last == "a Visit 0>1")
    second.detach(keepingState: true)
    #expect(log.values.last == "a ends with 1")
  }

  @Test("plug-ins of an attachment that a middleware drops end without a call")
  func dropped() {
    let shop = ShopFixture(middleware: [
      { _, _ in { next in { action in if !(action is FeatureAttached) { next(action) } } } }
    ])
    shop.features.attach(recording("a"))
    shop.store.dispatch(Visit())
    #expect(log.values == ["a starts", "a middleware"])
  }

  @Test("plug-ins end with the last state when the store is released")
  func storeEnds() {
    var shop: ShopFixture? = ShopFixture()
    shop?.features.attach(recording("a"))
    shop?.store.dispatch(Visit())
    shop = nil
    #expect(log.values.last == "a ends with 1")
  }

  @Test("plug-ins receive the transitions of other features")
  func others() {
    shop.features.attach(recording("a"))
    let other = shop.features.attach(basket)
    other.store.dispatch(Put(item: "bread"))
    other.detach(keepingState: false)
    #expect(
      log.values.filter { $0.contains(">") } == [
        "a FeatureAttached 0>0", "a FeatureAttached 0>0", "a Put 0>0", "a FeatureDetached 0>0",
      ])
  }

  @Test(
    "plug-ins receive each transition once and in order, while threads dispatch and other features come and go"
  )
  func threads() {
    let seen = Recorder<Int>()
    let feature = feature {
      Plugin(onTransition: .states { if $0.action is Visit { seen.record($0.after.count) } })
    }
    let (shop, other) = (shop, basket)
    let attached = shop.features.attach(feature)
    onThreads(4) { index in
      for _ in 0..<100 {
        shop.store.dispatch(Visit())
        if index == 0 { shop.features.attach(other).detach(keepingState: true) }
      }
    }
    attached.detach(keepingState: true)
    #expect(seen.values == Array(1...400))
  }

  @Test("a plug-in can detach its feature in a transition, and attach it again when it ends")
  func inside() {
    let (shop, log) = (shop, log)
    let attached = Recorder<AttachedFeature<Visits>>()
    let features = Recorder<Feature<Visits>>()
    let lives = Shared(0)
    features.record(
      feature {
        let life = lives.increment()
        return Plugin(
          onTransition: .states { transition in
            log.record("\(life) \(type(of: transition.action))")
            if life == 1, transition.action is Visit { attached.values[0].detach(keepingState: true) }
          },
          onStoreEnd: { last in
            log.record("\(life) ends with \(last.count)")
            if life == 1 { attached.record(shop.features.attach(features.values[0])) }
          })
      })
    attached.record(shop.features.attach(features.values[0]))
    shop.store.dispatch(Visit())
    shop.store.dispatch(Visit())
    attached.values[1].detach(keepingState: true)
    #expect(
      log.values == [
        "1 FeatureAttached", "1 Visit", "1 ends with 1", "2 FeatureAttached", "2 Visit", "2 ends with 2",
      ])
  }

  @Test("plug-ins of a feature that joins and leaves in one batch receive exactly the transitions between")
  func batch() {
    let (shop, feature) = (shop, recording("a"))
    shop.store.batch {
      shop.store.dispatch(Visit())
      let attached = shop.features.attach(feature)
      shop.store.dispatch(Visit())
      attached.detach(keepingState: true)
      shop.store.dispatch(Visit())
    }
    #expect(
      log.values.filter { $0.contains(">") || $0.contains("ends") } == [
        "a FeatureAttached 0>0", "a Visit 0>1", "a ends with 1",
      ])
  }

  @Test("a store that is released in a transition of a plug-in ends the plug-in once, with the last state")
  func releasedInside() {
    let (log, holder) = (log, Shared<ShopFixture?>(nil))
    let feature = feature {
      Plugin(
        onTransition: .actions { action, _ in
          log.record("\(type(of: action))")
          if action is Sell { _ = holder.exchange(nil) }
        },
        onStoreEnd: { last in log.record("ends with \(last.count)") })
    }
    _ = holder.exchange(ShopFixture())
    holder.value?.features.attach(feature)
    holder.value?.store.dispatch(Visit())
    holder.value?.store.dispatch(Sell())
    #expect(log.values == ["FeatureAttached", "Visit", "Sell", "ends with 1"])
  }

  @Test("with deferred actions, plug-ins receive the transitions in the order of the dispatches")
  func deferred() async {
    let shop = ShopFixture(before: [.deferredToMain])
    let attached = shop.features.attach(recording("a"))
    shop.store.dispatch(Visit())
    attached.detach(keepingState: true)
    await shop.store.dispatchAsync(Visit()).finished()
    #expect(
      log.values.filter { $0.contains(">") || $0.contains("ends") } == [
        "a FeatureAttached 0>0", "a Visit 0>1", "a ends with 1",
      ])
  }

  @Test("plug-ins observe a state that was replaced, with the initial state of the feature")
  func replaced() {
    let shop = ShopFixture(before: [.storeActions])
    shop.features.attach(recording("a"))
    shop.store.dispatch(Visit())
    shop.store.reset(to: Shop())
    shop.store.dispatch(Visit())
    #expect(log.values.filter { $0.contains(">") }.suffix(2) == ["a StoreAction<Shop> 1>0", "a Visit 0>1"])
  }

  @Test("a plug-in that observes no states receives the actions and their versions")
  func actions() {
    let versions = Recorder<UInt64>()
    let feature = feature { Plugin(onTransition: .actions { _, version in versions.record(version) }) }
    shop.store.dispatch(Sell())
    let attached = shop.features.attach(feature)
    shop.store.dispatch(Sell())
    attached.detach(keepingState: true)
    shop.store.dispatch(Sell())
    #expect(versions.values == [2, 3])
  }

  // MARK: Misuse

  @Test("a plug-in that configures the whole store stops the program, if its feature is attached at run time")
  func plugInOfStore() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let feature = Feature(
        "visits", state: Visits(), reducer: { (_: inout Visits, _: any Action) in },
        plugins: { [.asyncWork()] })
      ShopFixture().features.attach(feature)
    }
    expect(result, says: "the feature visits was attached", "configures the whole store", "Pass this plug-in")
  }

  @Test("a plug-in that attaches its own feature while it is created stops the program")
  func plugInOfItself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let features = Features(at: \Shop.features)
      let store = Store(reducer: shopReducer, plugins: [features.plugin], state: Shop())
      let feature = Feature(
        "visits", state: Visits(), reducer: { (_: inout Visits, _: any Action) in },
        plugins: { [Plugin(onStoreStart: { _ in features.attach(visits) })] })
      features.attach(feature)
      withExtendedLifetime(store) {}
    }
    expect(result, says: "the feature visits was attached while its plug-ins were being created")
  }

  @Test("two threads that attach one feature share its plug-ins")
  func twoThreads() {
    let (shop, log) = (shop, Recorder<String>())
    let feature = feature { Self.recording("a", in: log) }
    onThreads(4) { _ in
      for _ in 0..<50 { shop.features.attach(feature).detach(keepingState: true) }
    }
    let lives = log.values.filter { $0.contains("starts") || $0.contains("ends") }
    #expect(lives.count >= 2)
    #expect(lives.filter { $0 == "a starts" }.count == lives.filter { $0.contains("ends") }.count)
    let transitions = log.values.filter { $0.contains("FeatureAttached") && $0.contains(">") }
    #expect(transitions.count >= lives.count / 2)
  }

  // MARK: Lifetime

  @Test("nothing of a feature's plug-ins is kept after the feature was detached")
  func lifetime() {
    let tracker = LifetimeTracker()
    let feature = feature {
      let object = tracker.make()
      var plugin = Plugin<Visits>(
        middleware: { _, _ in
          { next in
            { action in
              object.touch(); next(action)
            }
          }
        },
        wrapReducer: { reducer in
          { state, action in
            object.touch(); reducer(&state, action)
          }
        },
        onTransition: .states { _ in object.touch() },
        onStoreStart: { _ in object.touch() },
        onStoreEnd: { _ in object.touch() })
      plugin.onStoreProxy = { _ in object.touch() }
      return plugin
    }
    let attached = shop.features.attach(feature)
    shop.store.dispatch(Visit())
    #expect(tracker.alive == 1)
    attached.detach(keepingState: true)
    #expect(tracker.alive == 0)
  }
}
