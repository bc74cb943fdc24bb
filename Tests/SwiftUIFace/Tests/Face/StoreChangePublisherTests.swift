import Combine
import FluxCore
import FluxUI
import SwiftUI
import TestSupport
import Testing

/// A subscriber that requests the number of changes that a test specifies.
private final class Requester: Subscriber {
  private(set) var received = 0
  /// The number of changes that it requests with each change.
  var more = Subscribers.Demand.none
  var subscription: (any Subscription)?
  var tracked: LifetimeTracker.Tracked?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
  }

  func receive(_ input: Void) -> Subscribers.Demand {
    received += 1
    return more
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}

@MainActor
@Suite("The changes of a store as a publisher", .unlessItHangs) struct StoreChangePublisherTests {
  private let counts = Recorder<Int>()

  private func record(_ store: Store<Notebook>) -> AnyCancellable {
    store.objectWillChange.sink { [counts, weak store] in
      MainActor.preconditionIsolated()
      counts.record(store?.state.count ?? -1)
    }
  }

  @Test("the publisher publishes once for each delivered state, when the store has that state")
  func publishing() {
    let store = makeStore()
    let subscription = record(store)
    #expect(counts.values == [])
    let dispatch = ActionDispatcher(store)
    dispatch(Increment())
    store.batch { for _ in 1...3 { dispatch(Increment()) } }
    dispatch(Increment())
    #expect(counts.values == [1, 5])
    subscription.cancel()
    dispatch(Increment())
    #expect(counts.values == [1, 5])
  }

  @Test("the publisher publishes actions of other threads on the main actor, and other threads may subscribe")
  func otherThreads() async {
    let store = makeStore()
    let published = EventLog<Int>()
    let kept = Shared<[AnyCancellableBox]>([])
    onAnotherThread {
      let subscription = store.objectWillChange.sink {
        MainActor.preconditionIsolated()
        published.record(store.state.count)
      }
      kept.value = [AnyCancellableBox(subscription)]
      for _ in 1...20 { store.dispatch(Increment()) }
    }
    await published.count(atLeast: 1)
    #expect(published.values == [20])
    kept.value = []
    ActionDispatcher(store)(Increment())
    #expect(published.values == [20])
  }

  @Test("the publisher does not observe the store until a subscriber requests a change")
  func beginning() {
    let store = makeStore()
    let order = Recorder<String>()
    let requester = Requester()
    store.objectWillChange.subscribe(requester)
    let before = store.objectWillChange.handleEvents(receiveOutput: { order.record("publisher") })
    let token = store.subscribe(initial: false, onMain: { _ in order.record("observer") })
    let subscription = before.sink {}
    requester.subscription?.request(.none)
    ActionDispatcher(store)(Increment())
    #expect(
      order.values == ["observer", "publisher"], "observers are called in the order in which they began")
    #expect(requester.received == 0)
    requester.subscription?.request(.max(1))
    ActionDispatcher(store)(Increment())
    #expect(requester.received == 1)
    withExtendedLifetime((token, subscription)) {}
  }

  @Test("a subscriber receives as many changes as it requests")
  func demand() {
    let store = makeStore()
    let requester = Requester()
    store.objectWillChange.subscribe(requester)
    let increment = { ActionDispatcher(store)(Increment()) }
    requester.subscription?.request(.max(1))
    for _ in 1...3 { increment() }
    #expect(requester.received == 1)
    requester.subscription?.request(.max(1))
    requester.more = .max(1)
    for _ in 1...3 { increment() }
    #expect(requester.received == 4)
    requester.more = .unlimited
    increment()
    requester.more = .none
    for _ in 1...3 { increment() }
    #expect(requester.received == 8)
    requester.subscription?.request(.max(1))
    requester.subscription?.cancel()
    requester.subscription?.request(.unlimited)
    increment()
    #expect(requester.received == 8)
  }

  @Test("a subscriber that cancels when it receives a change receives no further changes")
  func cancelingInside() {
    let store = makeStore()
    var subscription: AnyCancellable?
    var received = 0
    subscription = store.objectWillChange.sink {
      received += 1
      subscription?.cancel()
    }
    for _ in 1...2 { ActionDispatcher(store)(Increment()) }
    #expect(received == 1)
  }

  @Test("neither the publisher nor a subscription keeps the store alive, and both may outlive the store")
  func storeGone() {
    var store: Store<Notebook>? = makeStore()
    let released = WeakReference(store)
    let publisher = store?.objectWillChange
    let subscription = store.map(record)
    store = nil
    #expect(released.object == nil)
    let late = publisher?.sink { Issue.record("nothing changes") }
    #expect(counts.values == [])
    withExtendedLifetime((subscription, late)) {}
  }

  @Test("a subscription that is canceled, or whose store is released, releases its subscriber")
  func releasing() {
    let tracker = LifetimeTracker()
    var store: Store<Notebook>? = makeStore()
    for _ in 1...2 {
      let canceled = store?.objectWillChange.sink { [tracked = tracker.make()] in tracked.touch() }
      store.map { ActionDispatcher($0)(Increment()) }
      #expect(tracker.alive == 1)
      canceled?.cancel()
      #expect(tracker.alive == 0)
    }
    do {
      let requester = Requester()
      requester.tracked = tracker.make()
      store?.objectWillChange.subscribe(requester)
      requester.subscription?.cancel()
    }
    #expect(tracker.alive == 0, "the subscriber keeps its subscription")
    do {
      let requester = Requester()
      requester.tracked = tracker.make()
      store?.objectWillChange.subscribe(requester)
      requester.subscription?.request(.unlimited)
      requester.subscription = nil
    }
    #expect(tracker.alive == 1, "the store keeps what observes it")
    store = nil
    #expect(tracker.alive == 0)
  }
}

/// A subscription that tests pass to another thread.
private struct AnyCancellableBox: @unchecked Sendable {
  let subscription: AnyCancellable

  init(_ subscription: AnyCancellable) {
    self.subscription = subscription
  }
}

@MainActor
@Suite("Stores as environment objects") struct EnvironmentObjectViewTests {
  private struct Counter: View {
    @EnvironmentObject var store: Store<Notebook>
    let bodies: Bodies

    var body: some View {
      let _ = bodies.record("counter")
      Text("\(store.state.count)")
      Button("add") { store.dispatch(action: Increment()) }
    }
  }

  private let bodies = Bodies()

  @Test(
    "a view runs its body for each delivered state, and reads from and dispatches to the innermost store")
  func counting() {
    let (outer, inner) = (makeStore(state: Notebook(count: 1)), makeStore(state: Notebook(count: 2)))
    let part = inner.proxy(for: \.title)
    let screen = Screen {
      StoreProvider(store: outer) {
        Counter(bodies: bodies)
        Counter(bodies: bodies).provideStore(part).provideStore(inner)
      }
    }
    #expect(screen.text == ["1", "add", "2", "add"])
    bodies.takeAll()
    ActionDispatcher(inner)(Increment(amount: 5))
    screen.update()
    #expect(screen.text == ["1", "add", "7", "add"])
    #expect(bodies.takeAll() == ["counter"])
    screen.press("add")
    for store in [outer, inner] { ActionDispatcher(store)(Nothing()) }
    screen.update()
    #expect(screen.text == ["2", "add", "8", "add"])
  }

  @Test(
    "drawing an enclosing view again keeps the view, and a removed view no longer observes")
  func lifetime() {
    let store = makeStore()
    let screen = Screen {
      Parent(bodies) { number in
        if number < 3 { Counter(bodies: bodies) }
      }
      .provideStore(store)
    }
    bodies.takeAll()
    screen.press("next")
    #expect(bodies.takeAll() == ["parent"])
    screen.press("next")
    #expect(screen.text == ["next"])
    bodies.takeAll()
    ActionDispatcher(store)(Increment())
    #expect(!screen.isWaiting)
  }
}
