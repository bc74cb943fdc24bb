import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Work and services of the plug-ins of features", .unlessItHangs)
struct FeaturePluginWorkTests {
  private let shop = ShopFixture()
  /// A clock whose time does not pass, so only a cancellation ends a wait.
  private let clock = ManualClock()

  private func feature(_ plugin: @escaping @Sendable () -> Plugin<Visits>) -> Feature<Visits> {
    Feature("visits", state: Visits(), reducer: visits.reducer, plugins: { [plugin()] })
  }

  @Test("tasks of a plug-in are canceled when the feature is detached")
  func tasks() async {
    let (clock, ended) = (clock, EventLog<Bool>())
    let feature = feature {
      Plugin(onStoreStart: { context in
        context.effects.start {
          try? await clock.sleep(for: .seconds(1))
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
    await context.effects.finished()
  }

  @Test(
    "kept work of a feature starts when the feature is attached, and follows its state until it is detached")
  func kept() async {
    let (clock, events) = (clock, EventLog<String>())
    let feature = feature {
      .keep(while: { $0.count }) { count, _ in
        events.record("begins \(count)")
        try? await clock.sleep(for: .seconds(1))
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
    let (clock, events) = (clock, EventLog<String>())
    let feature = feature {
      .listeners { listeners in
        listeners.start(of: Visit.self) { visit, listener in
          events.record("\(visit.text) \(listener.state?.count ?? -1)")
          try? await clock.sleep(for: .seconds(1))
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

  @Test(
    "a listener can detach its own feature, which cancels the effect")
  func detachesItself() async {
    let (shop, events) = (shop, EventLog<String>())
    let attached = Recorder<AttachedFeature<Visits>>()
    let feature = feature {
      .listeners { listeners in
        listeners.start(of: Visit.self) { _, listener in
          attached.values[0].detach(keepingState: true)
          listener.dispatch(Sell())
          events.record(Task.isCancelled ? "canceled" : "running")
        }
      }
    }
    attached.record(shop.features.attach(feature))
    shop.store.dispatch(Visit())
    await events.count(atLeast: 1)
    shop.store.dispatch(Visit())
    #expect(events.values == ["canceled"])
    #expect(shop.store.state.sold == 0)
    #expect(shop.visits.count == 1)
  }
}
