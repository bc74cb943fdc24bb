import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Actions held for a time")
struct TimingTests {
  private let clock = ManualClock()

  /// A store with a middleware, and the reduced actions, for which a test can wait.
  private func store(
    _ middleware: @escaping Middleware<Tally>
  ) -> (store: Store<Tally>, reduced: AsyncStream<[String]>.Iterator, token: SubscriptionToken) {
    let store = makeStore(middleware)
    let (stream, continuation) = AsyncStream.makeStream(of: [String].self)
    let token = store.subscribe(to: \.log, initial: false) { log in continuation.yield(log) }
    return (store, stream.makeAsyncIterator(), token)
  }

  // MARK: Debounce

  @Test("debounced: only the last action is passed on, after a quiet interval")
  func debounce() async {
    var (store, reduced, token) = store(
      debounceActions(of: Note.self, for: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    clock.advance(by: .seconds(2))
    store.dispatch(Note(text: "b"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    await clock.sleepers(atLeast: 1)
    #expect(store.state.log == [])
    clock.advance(by: .seconds(1))
    #expect(await reduced.next() == ["b"])
    store.dispatch(Note(text: "c"))
    clock.advance(by: .seconds(3))
    #expect(await reduced.next() == ["b", "c"])
    token.cancel()
  }

  @Test("actions of other types pass immediately, whichever actions are held")
  func others() {
    let store = makeStore(
      debounceActions(of: Note.self, for: .seconds(3), clock: clock),
      throttleActions(of: Note.self, every: .seconds(3), clock: clock),
      coalesceActions(of: Note.self, within: .seconds(3), clock: clock) { _, new in new })
    store.dispatch(Note(text: "held"))
    store.dispatch(Add())
    #expect(store.state == Tally(sum: 1))
  }

  // MARK: Throttle

  @Test("throttled: the first action passes immediately, and then the newest of each window when it closes")
  func throttle() async {
    var (store, reduced, token) = store(
      throttleActions(of: Note.self, every: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    #expect(await reduced.next() == ["a"])
    store.dispatch(Note(text: "b"))
    store.dispatch(Note(text: "c"))
    #expect(store.state.log == ["a"])
    clock.advance(by: .seconds(3))
    #expect(await reduced.next() == ["a", "c"])
    store.dispatch(Note(text: "d"))
    #expect(store.state.log == ["a", "c"])
    clock.advance(by: .seconds(3))
    #expect(await reduced.next() == ["a", "c", "d"])
    clock.advance(by: .seconds(3))
    store.dispatch(Note(text: "e"))
    #expect(await reduced.next() == ["a", "c", "d", "e"])
    token.cancel()
  }

  @Test("throttled without the latest: an action that arrives too early is dropped")
  func throttleWithoutLatest() {
    let store = makeStore(
      throttleActions(of: Note.self, every: .seconds(3), latest: false, clock: clock))
    for (text, seconds) in [("a", 1), ("b", 1), ("c", 1), ("d", 2), ("e", 1), ("f", 0)] {
      store.dispatch(Note(text: text))
      clock.advance(by: .seconds(seconds))
    }
    #expect(store.state.log == ["a", "d", "f"])
    #expect(clock.sleepers == 0)
  }

  // MARK: Coalesce

  @Test("coalesced: all actions of a window are merged into one in order, when it closes")
  func coalesce() async {
    var (store, reduced, token) = store(
      coalesceActions(of: Note.self, within: .seconds(3), clock: clock) { first, second in
        Note(text: first.text + second.text)
      })
    store.dispatch(Note(text: "a"))
    clock.advance(by: .seconds(1))
    store.dispatch(Note(text: "b"))
    store.dispatch(Note(text: "c"))
    #expect(store.state.log == [])
    clock.advance(by: .seconds(2))
    #expect(await reduced.next() == ["abc"])
    store.dispatch(Note(text: "d"))
    clock.advance(by: .seconds(3))
    #expect(await reduced.next() == ["abc", "d"])
    token.cancel()
  }

  @Test("a held action remains held while other middleware is added and removed")
  func changingChain() async {
    let dynamic = DynamicMiddleware<Tally>()
    var (store, reduced, token) = store(dynamic.middleware)
    dynamic.add(debounceActions(of: Note.self, for: .seconds(3), clock: clock))
    store.dispatch(Note(text: "a"))
    dynamic.add(transformActions(of: Note.self) { _, note in Note(text: note.text + "!") })
    clock.advance(by: .seconds(3))
    #expect(await reduced.next() == ["a!"])
    token.cancel()
  }

  @Test("a clock that fails passes on the held action, instead of holding it forever")
  func failingClock() async {
    var (store, reduced, token) = store(
      debounceActions(of: Note.self, for: .seconds(3), clock: StoppedClock()))
    store.dispatch(Note(text: "a"))
    #expect(await reduced.next() == ["a"])
    token.cancel()
  }

  // MARK: The end

  @Test("a held action is dropped when the store is released, and no task remains asleep")
  func end() async {
    var store: Store<Tally>? = makeStore(
      debounceActions(of: Note.self, for: .seconds(3), clock: clock),
      coalesceActions(of: Add.self, within: .seconds(3), clock: clock) { _, new in new })
    store?.dispatch(Note(text: "a"))
    store?.dispatch(Add())
    await clock.sleepers(atLeast: 2)
    store = nil
    #expect(clock.sleepers == 0)
  }

  @Test("an action that passes a throttle while another thread passes on a held action is reduced after it")
  func order() async {
    let dispatch = Shared<DispatchFunction?>(nil)
    let meanwhile: Middleware<Tally> = { [clock] _, _ in
      { next in
        { action in
          if (action as? Note)?.text == "b" {
            clock.advance(by: .seconds(1))
            Worker { dispatch.value?(Note(text: "c")) }.join()
          }
          next(action)
        }
      }
    }
    let throttle: Middleware<Tally> = throttleActions(of: Note.self, every: .seconds(1), clock: clock)
    var (store, reduced, token) = store(combine(throttle, meanwhile))
    dispatch.value = store.dispatch
    store.dispatch(Note(text: "a"))
    #expect(await reduced.next() == ["a"])
    store.dispatch(Note(text: "b"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(await reduced.next() == ["a", "b"])
    #expect(await reduced.next() == ["a", "b", "c"])
    token.cancel()
  }

  private struct Parcel: Action {
    let kept: LifetimeTracker.Tracked?
  }

  @Test("an action that is replaced by another is released outside any lock", arguments: [false, true])
  func releasedOutside(throttled: Bool) {
    let released = Recorder<String>()
    let middleware: Middleware<Tally> =
      throttled
      ? throttleActions(of: Parcel.self, every: .seconds(1), clock: clock)
      : debounceActions(of: Parcel.self, for: .seconds(1), clock: clock)
    let store = makeStore(middleware)
    let dispatch = store.proxy.dispatch
    store.dispatch(Parcel(kept: nil))
    store.dispatch(
      Parcel(
        kept: LifetimeTracker().make {
          dispatch(Parcel(kept: nil))
          released.record("released")
        }))
    store.dispatch(Parcel(kept: nil))
    #expect(released.values == ["released"])
  }

  @Test("when several threads dispatch, each window passes on one action that contains all of them")
  func threads() async {
    let merged = Recorder<Int>()
    let store = makeStore(
      coalesceActions(of: Add.self, within: .seconds(1), clock: clock) { first, second in
        merged.record(1)
        return Add(amount: first.amount + second.amount)
      })
    onThreads(4) { _ in for _ in 0..<100 { store.dispatch(Add()) } }
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let token = store.subscribe(to: \.sum, initial: false) { continuation.yield($0) }
    clock.advance(by: .seconds(1))
    var sums = stream.makeAsyncIterator()
    #expect(await sums.next() == 400)
    #expect(merged.count == 399)
    token.cancel()
  }
}

/// A clock that does not advance, and on which no task can sleep.
private struct StoppedClock: Clock {
  struct Trouble: Error {}

  var now: ManualClock.Instant { ManualClock().now }
  var minimumResolution: Duration { .zero }

  func sleep(until _: ManualClock.Instant, tolerance _: Duration?) async throws {
    throw Trouble()
  }
}
