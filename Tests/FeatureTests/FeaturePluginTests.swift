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

  // MARK: Work

  @Test("tasks of a plug-in are canceled when the feature is detached")
  func tasks() async {
    let ended = EventLog<Bool>()
    let feature = feature {
      Plugin(onStoreStart: { context in
        context.effects.start {
          try? await Task.sleep(for: .seconds(3_600))
          ended.record(Task.isCancelled)
        }
      })
    }
    shop.features.attach(feature).detach(keepingState: true)
    await ended.count(atLeast: 1)
    #expect(ended.values == [true])
  }

  @Test("a context of a detached feature starts no task and has no services")
  func lateContext() async {
    let contexts = Recorder<ActionContext>()
    let feature = feature { Plugin(onStoreStart: { contexts.record($0) }) }
    shop.features.attach(feature).detach(keepingState: true)
    let context = contexts.values[0]
    context.effects.start { Issue.record("A task was started.") }
    await context.effects.finished()
    #expect(throws: (any Error).self) { try context.services(Int.self) }
    // The place of the context is used again.
    shop.features.attach(feature)
    #expect(context.effects.count == 0)
    context.effects.start { Issue.record("A task was started.") }
  }

  @Test(
    "kept work of a feature starts when the feature is attached, and follows its state until it is detached")
  func kept() async {
    let events = EventLog<String>()
    let feature = feature {
      .keep(while: { $0.count }) { count, _ in
        events.record("begins \(count)")
        try? await Task.sleep(for: .seconds(3_600))
        events.record("ends \(count)")
      }
    }
    let attached = shop.features.attach(feature)
    await events.count(atLeast: 1)
    shop.store.dispatch(Visit())
    await events.count(atLeast: 3)
    attached.detach(keepingState: true)
    await events.count(atLeast: 4)
    #expect(events.values.first == "begins 0")
    #expect(Set(events.values) == ["begins 0", "ends 0", "begins 1", "ends 1"])
  }

  @Test(
    "a listener of a feature receives actions with the feature's state, and its effects end with the feature")
  func listeners() async {
    let events = EventLog<String>()
    let feature = feature {
      .listeners { listeners in
        listeners.start(of: Visit.self) { visit, listener in
          events.record("\(visit.text) \(listener.state?.count ?? -1)")
          try? await Task.sleep(for: .seconds(3_600))
          listener.dispatch(Sell())
          events.record("canceled")
        }
      }
    }
    shop.store.dispatch(Visit(text: "early"))
    let attached = shop.features.attach(feature)
    shop.store.dispatch(Visit(text: "now"))
    await events.count(atLeast: 1)
    attached.detach(keepingState: true)
    await events.count(atLeast: 2)
    shop.store.dispatch(Visit(text: "late"))
    #expect(events.values == ["now 1", "canceled"])
    #expect(shop.store.state.sold == 0)
  }

  @Test("a caller that waits for a dispatch of the feature's proxy waits for the effects of its listeners")
  func awaited() async {
    let done = Recorder<Int>()
    let feature = feature {
      .listeners { listeners in
        listeners.start(of: Visit.self) { _, listener in
          await Task.yield()
          done.record(listener.state?.count ?? -1)
        }
      }
    }
    let attached = shop.features.attach(feature)
    await attached.store.dispatchAsync(Visit()).finished()
    #expect(done.values == [1])
  }

  @Test("a lifted plug-in of a feature has its own services, and a detached feature has none")
  func services() throws {
    let numbers = Recorder<Int>()
    let contexts = Recorder<ActionContext>()
    struct Part: FluxState { var value = 0 }
    struct Parts: FluxState { var part = Part() }
    let feature = Feature(
      "parts", state: Parts(), reducer: { (_: inout Parts, _: any Action) in },
      plugins: {
        let plugin = Plugin<Part>(onStoreStart: { context in
          contexts.record(context)
          numbers.record((try? context.services(Int.self)) ?? -1)
        })
        return [lift(plugin, to: \Parts.part) { $0.with(7) }]
      })
    let attached = shop.features.attach(feature)
    #expect(numbers.values == [7])
    attached.detach(keepingState: true)
    #expect(throws: (any Error).self) { try contexts.values[0].services(Int.self) }
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
