import FluxCore
import TestSupport
import Testing

private final class Screen: Sendable {
  let heard = Recorder<Int>()

  func appear<Source: StateSource>(in source: Source, initial: Bool = false) where Source.State == Counter {
    source.subscribe(owner: self, to: \.count, initial: initial) { screen, count in screen.heard.record(count)
    }
  }
}

@Suite("Unsubscribing an owner")
struct UnsubscribeTests {
  private let store = makeStore()
  private let screen = Screen()

  @Test("An owner that appears, disappears, and appears again has one subscription")
  func appearsAgain() {
    for _ in 0..<3 {
      screen.appear(in: store)
      store.unsubscribe(owner: screen)
    }
    screen.appear(in: store)
    store.dispatch(Increment())
    #expect(screen.heard.values == [1])
  }

  @Test("An owner that has unsubscribed is not called")
  func isNotCalled() {
    screen.appear(in: store)
    store.unsubscribe(owner: screen)
    store.dispatch(Increment())
    #expect(screen.heard.values == [])
  }

  @Test("All subscriptions of the owner end, and those of other owners and of tokens go on")
  func onlyTheOwner() {
    let (other, token) = (Screen(), Recorder<Int>())
    screen.appear(in: store)
    store.subscribe(owner: screen) { screen, state in screen.heard.record(state.count) }
    screen.heard.takeAll()
    other.appear(in: store)
    let kept = store.subscribe(to: \.count, initial: false) { token.record($0) }
    store.unsubscribe(owner: screen)
    store.dispatch(Increment())
    #expect(screen.heard.values == [])
    #expect(other.heard.values == [1])
    #expect(token.values == [1])
    kept.cancel()
  }

  @Test("Unsubscribing releases the closure immediately, outside the store's lock")
  func releases() {
    let (tracker, store) = (LifetimeTracker(), store)
    let released = Recorder<Int>()
    do {
      let captured = tracker.make { released.record(store.state.count) }
      store.subscribe(owner: screen, initial: false) { _, _ in captured.touch() }
    }
    #expect(tracker.alive == 1)
    store.unsubscribe(owner: screen)
    #expect(tracker.alive == 0)
    #expect(released.values == [0])
  }

  @Test("A subscription continues even if its token is not kept")
  func needsNoToken() {
    screen.appear(in: store)
    for _ in 0..<3 { store.dispatch(Increment()) }
    #expect(screen.heard.values == [1, 2, 3])
  }

  @Test("The closure may unsubscribe its owner, in the first call and in a later one", arguments: [0, 1])
  func fromInside(count: Int) {
    store.subscribe(owner: screen, to: \.count) { [store] screen, new in
      screen.heard.record(new)
      if new == count { store.unsubscribe(owner: screen) }
    }
    for _ in 0..<3 { store.dispatch(Increment()) }
    #expect(screen.heard.values == Array(0...count))
  }

  @Test("Unsubscribing an owner without subscriptions, or twice, does nothing")
  func withoutSubscriptions() {
    store.unsubscribe(owner: screen)
    screen.appear(in: store)
    store.unsubscribe(owner: screen)
    store.unsubscribe(owner: screen)
    store.dispatch(Increment())
    #expect(screen.heard.values == [])
  }

  @Test("The store, its proxies, and its shared slices cancel each other's subscriptions of an owner")
  func otherSources() {
    let proxy = store.proxy
    let slice: SharedSlice<Counter> = store.sharedSlice(of: { $0 })
    screen.appear(in: proxy)
    screen.appear(in: slice)
    store.unsubscribe(owner: screen)
    screen.appear(in: store)
    slice.unsubscribe(owner: screen)
    screen.appear(in: slice)
    proxy.proxy(for: \.count).unsubscribe(owner: screen)
    store.dispatch(Increment())
    #expect(screen.heard.values == [])
  }

  @Test("A subscription that ended in another way is forgotten")
  func isForgotten() {
    let subscriptions = store.context.ownerSubscriptions
    screen.appear(in: store)
    store.unsubscribe(owner: screen)
    #expect(subscriptions.count == 0)
    var owner: Screen? = Screen()
    owner?.appear(in: store)
    var slice: SharedSlice<Counter>? = store.sharedSlice(of: { $0 })
    if let slice { screen.appear(in: slice) }
    #expect(subscriptions.count == 2)
    owner = nil
    store.dispatch(Increment())
    slice = nil
    #expect(subscriptions.count == 0)
    #expect(owner == nil && slice == nil)
  }

  @Test("A released store releases the closures of owners")
  func storeIsReleased() {
    let tracker = LifetimeTracker()
    var store: Store<Counter>? = makeStore()
    do {
      let captured = tracker.make()
      store?.subscribe(owner: screen, initial: false) { _, _ in captured.touch() }
    }
    let proxy = store?.proxy
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    proxy?.unsubscribe(owner: screen)
    screen.appear(in: makeStore())
  }

  @Test(
    "An owner that is unsubscribed while it subscribes on another thread has no subscription, or a listed one"
  )
  func atTheSameTime() {
    onThreads(2) { [store, screen] thread in
      for _ in 0..<500 {
        if thread == 0 { screen.appear(in: store) } else { store.unsubscribe(owner: screen) }
      }
    }
    store.unsubscribe(owner: screen)
    screen.heard.takeAll()
    store.dispatch(Increment())
    #expect(screen.heard.values == [])
    #expect(store.context.ownerSubscriptions.count == 0)
  }
}

@Suite("Unsubscribing an owner on the main actor")
@MainActor
struct UnsubscribeOnMainTests {
  private final class View {
    var heard: [Int] = []
  }

  @Test("A view that appears, disappears, and appears again is called once for each change")
  func appearsAgain() {
    let (store, view) = (makeStore(), View())
    for _ in 0..<3 {
      store.subscribe(
        owner: view, to: \.count, initial: false, onMain: { view, count in view.heard.append(count) })
      store.unsubscribe(owner: view)
    }
    store.subscribe(
      owner: view, to: \.count, initial: false, onMain: { view, count in view.heard.append(count) })
    store.dispatch(Increment())
    store.deliverOnMain()
    #expect(view.heard == [1])
    store.unsubscribe(owner: view)
    store.dispatch(Increment())
    store.deliverOnMain()
    #expect(view.heard == [1])
  }
}
