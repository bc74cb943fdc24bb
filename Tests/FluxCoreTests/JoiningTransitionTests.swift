import Synchronization
import TestSupport
import Testing

@testable import FluxCore

@Suite("Observers of transitions that join a running store")
struct JoiningTransitionTests {
  private struct App: FluxState {
    var count = 0
    var part: Int?
    var buffer = [Int](repeating: 0, count: 8)
    /// The buffers that the reducer has found at another place after it changed them.
    var copies = 0
  }

  private struct Add: Action {}
  private struct SetPart: Action { let part: Int? }

  private static let reducer: MutatingReducer<App> = { app, action in
    switch action {
    case is Add:
      let before = app.buffer.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      app.buffer[0] += 1
      let after = app.buffer.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      app.copies += before == after ? 0 : 1
      app.count += 1
    case let set as SetPart: app.part = set.part
    default: break
    }
  }

  private let store = Store(reducer: reducer, state: App())
  private let log = Recorder<String>()

  private func observer(_ name: String) -> TransitionObserver<App> {
    .states { [log] in log.record("\(name) \($0.version) \($0.before.count)>\($0.after.count)") }
  }

  @Test("an observer receives each transition after it has joined, until its token is canceled")
  func joinAndLeave() {
    store.dispatch(Add())
    let token = store.proxy.observeTransitions(observer("a"))
    store.dispatch(Add())
    store.dispatch(Add())
    token.cancel()
    store.dispatch(Add())
    #expect(log.values == ["a 2 1>2", "a 3 2>3"])
    #expect(store.state.count == 4)
  }

  @Test(
    "observers are called after those of plug-ins, in the order in which they joined, before state observers")
  func order() {
    let log = log
    let store = Store(
      reducer: Self.reducer, plugins: [Plugin(onTransition: observer("plug-in"))], state: App())
    let state = store.subscribe(initial: false) { log.record("state \($0.count)") }
    let tokens = ["a", "b", "c"].map { store.proxy.observeTransitions(observer($0)) }
    store.dispatch(Add())
    tokens[1].cancel()
    store.dispatch(Add())
    #expect(
      log.values == [
        "plug-in 1 0>1", "a 1 0>1", "b 1 0>1", "c 1 0>1", "state 1", "plug-in 2 1>2", "a 2 1>2", "c 2 1>2",
        "state 2",
      ])
    withExtendedLifetime((tokens, state)) {}
  }

  @Test("an observer that requests no states receives actions and versions")
  func actions() {
    let versions = Recorder<UInt64>()
    let token = store.proxy.observeTransitions(.actions { _, version in versions.record(version) })
    store.dispatch(Add())
    store.dispatch(Add())
    #expect(versions.values == [1, 2])
    #expect(store.state.copies == 0)
    token.cancel()
  }

  @Test("the store keeps copies of states only while an observer requests them")
  func copies() {
    store.dispatch(Add())
    #expect(store.state.copies == 0)
    let token = store.proxy.observeTransitions(observer("a"))
    store.dispatch(Add())
    #expect(store.state.copies == 1)
    token.cancel()
    store.dispatch(Add())
    #expect(store.state.copies == 1)
  }

  @Test("an observer can leave in a call, and another can join in a call")
  func inside() {
    let (log, proxy) = (log, store.proxy)
    let tokens = Recorder<SubscriptionToken>()
    let second = observer("second")
    tokens.record(
      proxy.observeTransitions(
        .states { transition in
          log.record("first \(transition.version)")
          tokens.record(proxy.observeTransitions(second))
          tokens.values[0].cancel()
        }))
    store.dispatch(Add())
    store.dispatch(Add())
    #expect(log.values == ["first 1", "second 2 1>2"])
    tokens.values[1].cancel()
  }

  @Test("an observer that leaves in a call receives no transition that is delivered together with it")
  func leavesBeforeOthers() {
    let (store, versions) = (store, Recorder<UInt64>())
    let first = store.proxy.observeTransitions(
      .actions { _, version in
        // The next two transitions are delivered together.
        if version == 1 { for _ in 0..<2 { store.dispatch(Add()) } }
      })
    let tokens = Recorder<SubscriptionToken>()
    tokens.record(
      store.proxy.observeTransitions(
        .actions { _, version in
          versions.record(version)
          if version == 2 { tokens.values[0].cancel() }
        }))
    store.dispatch(Add())
    #expect(versions.values == [1, 2])
    #expect(store.state.count == 3)
    first.cancel()
  }

  @Test(
    "an observer of a part that can be absent receives the transitions in which the part exists before and after"
  )
  func possiblePart() {
    let parts = Recorder<[Int]>()
    let token = store.proxy.proxy(whileAvailable: { $0.part }).observeTransitions(
      .states { parts.record([$0.before, $0.after]) })
    for part in [1, 2, nil, 3, 4] { store.dispatch(SetPart(part: part)) }
    #expect(parts.values == [[1, 2], [3, 4]])
    token.cancel()
  }

  @Test("observers that join while threads dispatch receive every later version exactly once")
  func threads() {
    let (store, log) = (store, Recorder<[UInt64]>())
    onThreads(4) { _ in
      for _ in 0..<50 {
        let versions = Recorder<UInt64>()
        let token = store.proxy.observeTransitions(.states { versions.record($0.version) })
        for _ in 0..<5 { store.dispatch(Add()) }
        token.cancel()
        log.record(versions.values)
      }
    }
    #expect(log.values.contains { $0.count >= 5 })
    for versions in log.values {
      #expect(zip(versions, versions.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(versions)")
    }
    #expect(store.state.count == 1_000)
  }

  @Test("a store that was released has no observers of transitions, and releases them")
  func released() {
    let tracker = LifetimeTracker()
    var store: Store<App>? = Store(reducer: Self.reducer, state: App())
    let proxy = store!.proxy
    func observe() -> SubscriptionToken {
      let object = tracker.make()
      return proxy.observeTransitions(.actions { _, _ in object.touch() })
    }
    let early = observe()
    store?.dispatch(Add())
    #expect(tracker.alive == 1)
    store = nil
    let late = observe()
    early.cancel()
    late.cancel()
    #expect(tracker.alive == 0)
  }

  private var hasAudience: Bool { store.core.hasAudience.load(ordering: .relaxed) }

  @Test("a commit has no audience again after the last observer left, and canceling again has no effect")
  func unobserved() {
    #expect(!hasAudience)
    let token = store.proxy.observeTransitions(observer("a"))
    #expect(hasAudience)
    token.cancel()
    token.cancel()
    #expect(!hasAudience)
    store.dispatch(Add())
    #expect(log.values.isEmpty)
    #expect(store.state.count == 1)
  }
}
