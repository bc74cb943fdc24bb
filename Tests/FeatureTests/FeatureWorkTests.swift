import FluxAsync
import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Work and subscriptions of features", .unlessItHangs)
struct FeatureWorkTests {
  /// A task that waits, and then dispatches a visit.
  struct Load: TaskAction {
    let begun: EventLog<Void>
    let gate: EventLog<Void>
    let ended: EventLog<Bool>

    func execute(in context: TaskContext<Shop>) async throws {
      begun.record(())
      await gate.count(atLeast: 1)
      context.dispatch(Visit(text: "loaded"))
      ended.record(Task.isCancelled)
    }
  }

  private let shop = ShopFixture()
  private let begun = EventLog<Void>()
  private let gate = EventLog<Void>()
  private let ended = EventLog<Bool>()

  private var load: Load { Load(begun: begun, gate: gate, ended: ended) }

  @Test("the proxy of a feature reads its state, and dispatches through the whole chain")
  func proxy() {
    let attached = shop.features.attach(visits)
    attached.store.dispatch(Visit(text: "a"))
    attached.store.dispatch(Sell())
    #expect(attached.store.state == Visits(count: 1, text: "a"))
    #expect(shop.store.state.sold == 1)
  }

  @Test("work of a feature ends when the feature is detached, before the call returns")
  func work() async {
    let attached = shop.features.attach(visits)
    let loading = attached.store.dispatchAsync(load)
    await begun.count(atLeast: 1)
    attached.detach(keepingState: true)
    #expect(loading.isCancelled)
    gate.record(())
    await ended.count(atLeast: 1)
    #expect(ended.values == [true])
    #expect(shop.store.state.seen.isEmpty)
  }

  @Test("work of the app continues when a feature is detached")
  func otherWork() async {
    let attached = shop.features.attach(visits)
    let loading = shop.store.dispatchAsync(load)
    await begun.count(atLeast: 1)
    attached.detach(keepingState: true)
    gate.record(())
    await loading.finished()
    #expect(ended.values == [false])
    #expect(shop.store.state.seen == [0])
  }

  @Test("work of one attachment ends with it, although the feature has another attachment")
  func ofOneAttachment() async {
    let (first, second) = (shop.features.attach(visits), shop.features.attach(visits))
    let loading = second.store.dispatchAsync(load)
    await begun.count(atLeast: 1)
    first.detach(keepingState: true)
    #expect(!loading.isCancelled)
    second.detach(keepingState: true)
    #expect(loading.isCancelled)
    gate.record(())
    await ended.count(atLeast: 1)
  }

  @Test("an action that the proxy of a detached feature dispatches is dropped and reported")
  func late() {
    let attached = shop.features.attach(visits)
    attached.detach(keepingState: true)
    attached.store.dispatch(Sell())
    #expect(shop.store.state.sold == 0)
    #expect(shop.problems.values.map(\.code) == [.actionAfterDetach])
    #expect(
      "\(shop.problems.values[0])" == "The feature visits is detached, so its action was dropped: Sell().")
  }

  @Test("an observer receives the state of the feature until the feature is detached")
  func subscription() {
    let seen = Recorder<Int>()
    let attached = shop.features.attach(visits)
    let token = attached.store.subscribe(to: \.count) { seen.record($0) }
    shop.store.dispatch(Visit())
    attached.detach(keepingState: true)
    #expect(attached.store.state == nil)
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    #expect(seen.values == [0, 1])
    withExtendedLifetime(token) {}
  }

  @Test("an observer that is canceled first receives no further state")
  func cancelled() {
    let seen = Recorder<Int>()
    let attached = shop.features.attach(visits)
    let token = attached.store.subscribe(to: \.count) { seen.record($0) }
    token.cancel()
    shop.store.dispatch(Visit())
    #expect(seen.values == [0])
    attached.detach(keepingState: true)
    let late = attached.store.subscribe(to: \.count) { seen.record($0 + 100) }
    shop.features.attach(visits)
    shop.store.dispatch(Visit())
    #expect(!seen.values.contains(102))
    withExtendedLifetime(late) {}
  }

  @Test("an observer on the main actor receives the state of the feature until it is detached")
  @MainActor
  func onMain() async {
    let seen = EventLog<Int>()
    let sold = EventLog<Int>()
    let attached = shop.features.attach(visits)
    let token = attached.store.subscribe(to: \.count, onMain: { seen.record($0) })
    shop.store.dispatch(Visit())
    await seen.count(atLeast: 2)
    attached.detach(keepingState: true)
    shop.features.attach(visits)
    let fence = shop.store.subscribe(to: \.sold, onMain: { sold.record($0) })
    shop.store.dispatch(Visit())
    shop.store.dispatch(Sell())
    await sold.count(atLeast: 2)
    #expect(seen.values == [0, 1])
    withExtendedLifetime((token, fence)) {}
  }

  @Test("two threads attach, dispatch, and detach: every visit of an attached feature is counted")
  func threads() {
    let shop = shop
    let workers = (0..<2).map { _ in
      Worker {
        for _ in 0..<300 {
          let attached = shop.features.attach(visits)
          let before = shop.visits.count
          attached.store.dispatch(Visit())
          #expect(shop.visits.count > before)
          attached.detach(keepingState: true)
        }
      }
    }
    for worker in workers { worker.join() }
    #expect(shop.visits.count == 600)
    #expect(shop.store.state.features.attachedNames.isEmpty)
    #expect(shop.problems.values.isEmpty)
  }
}
