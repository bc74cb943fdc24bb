import FluxCore
import TestSupport
import Testing

/// Only the reducer and a `withState` closure run under the store's lock.
///
/// All other user code may read the store and dispatch.
@Suite struct LockTests {
  private let target = Shared<Store<Counter>?>(nil)
  private let seen = Recorder<Int?>()

  /// Reads the store in both ways, which stops the program under the lock.
  private var touch: @Sendable () -> Void {
    { [target, seen] in
      seen.record(target.value?.state.count)
      seen.record(target.value?.withState { $0.count })
    }
  }

  @Test("a plug-in's wrapReducer runs outside the lock when the reducer is replaced")
  func wrapReducer() {
    let touch = touch
    target.value = makeStore(
      plugins: [
        Plugin(wrapReducer: { reducer in
          touch()
          return reducer
        })
      ])
    seen.takeAll()
    target.value?.replaceReducer(countingReducer)
    #expect(seen.values == [0, 0])
    target.value = nil
  }

  @Test("the predicate of a first match runs outside the lock, immediately and later")
  func firstMatch() {
    let touch = touch
    target.value = makeStore()
    let token = target.value?.subscribe(first: { state in
      touch()
      return state.count == 1
    }) { _ in touch() }
    target.value?.dispatch(Increment())
    #expect(seen.values == [0, 0, 1, 1, 1, 1])
    token?.cancel()
    target.value = nil
  }

  @Test("a middleware runs outside the lock")
  func middleware() {
    let touch = touch
    target.value = makeStore(
      middleware: [
        { _, _ in
          { next in
            { action in
              touch()
              next(action)
              touch()
            }
          }
        }
      ])
    target.value?.dispatch(Increment())
    #expect(seen.values == [0, 0, 1, 1])
    target.value = nil
  }

  @Test("the deinit of a middleware may dispatch, which does nothing because the store is released")
  func middlewareDeinit() {
    final class Held: Sendable {
      let dispatch: DispatchFunction
      let heard: Recorder<String>
      init(_ dispatch: @escaping DispatchFunction, _ heard: Recorder<String>) {
        self.dispatch = dispatch
        self.heard = heard
      }
      deinit {
        dispatch(Increment())
        heard.record("deinit")
      }
    }
    let heard = Recorder<String>()
    let holding: Middleware<Counter> = { dispatch, _ in
      let held = Held(dispatch, heard)
      return { next in
        { action in
          withExtendedLifetime(held) { next(action) }
        }
      }
    }
    var store: Store<Counter>? = Store(
      reducer: { (_: inout Counter, _: any Action) in heard.record("reduced") }, middleware: [holding],
      state: Counter())
    store?.dispatch(Increment())
    store = nil
    #expect(heard.values == ["reduced", "deinit"])
  }

  @Test("the deinit of an action runs outside the lock, even if another thread delivers its transition")
  func actionDeinit() {
    struct Holding: Action { var object: LifetimeTracker.Tracked }
    let touch = touch
    let tracker = LifetimeTracker()
    let entered = Gate()
    let leave = Gate()
    target.value = makeStore(
      plugins: [
        Plugin(
          onTransition: .states { transition in
            guard transition.version == 1 else { return }
            entered.open()
            leave.wait()
          })
      ])
    let worker = Worker { [target] in target.value?.dispatch(Increment()) }
    entered.wait()
    onAnotherThread { [target] in target.value?.dispatch(Holding(object: tracker.make(onDeinit: touch))) }
    #expect(tracker.alive == 1, "the transition waits to be delivered")
    leave.open()
    worker.join()
    #expect(tracker.alive == 0)
    #expect(seen.values == [1, 1])
    target.value = nil
  }

  @Test("the deinit of an action's object may dispatch when dispatch releases the action")
  func actionDeinitDispatches() {
    struct Holding: Action { var object: LifetimeTracker.Tracked }
    let target = target
    let tracker = LifetimeTracker()
    target.value = makeStore(plugins: [Plugin(onTransition: .actions { _, _ in })])
    target.value?.dispatch(
      Holding(object: tracker.make { target.value?.dispatch(Increment()) }))
    #expect(tracker.alive == 0)
    #expect(target.value?.state.count == 1)
    target.value = nil
  }

  @Test("the deinit of a value that a slice keeps runs outside the lock")
  func sliceDeinit() {
    let touch = touch
    let tracker = LifetimeTracker()
    target.value = makeStore()
    var token = target.value?.subscribe(
      to: { _ in tracker.make(onDeinit: touch) }, by: { _, _ in false }, { (_: LifetimeTracker.Tracked) in })
    target.value?.dispatch(Increment())
    #expect(tracker.alive == 1)
    #expect(seen.values == [1, 1])
    token?.cancel()
    token = nil
    #expect(tracker.alive == 0)
    #expect(seen.values == [1, 1, 1, 1])
    target.value = nil
  }

  @Test("the deinit of an observer of a first match runs outside the lock when it has matched")
  func firstMatchDeinit() {
    let touch = touch
    let tracker = LifetimeTracker()
    target.value = makeStore()
    let token: SubscriptionToken?
    do {
      let object = tracker.make(onDeinit: touch)
      token = target.value?.subscribe(first: { $0.count == 1 }) { _ in object.touch() }
    }
    target.value?.dispatch(Increment())
    #expect(tracker.alive == 0)
    #expect(seen.values == [1, 1])
    token?.cancel()
    target.value = nil
  }

  @Test("the end of the store is delivered outside the lock, when a proxy has no state")
  func storeEnd() {
    let proxy = Shared<StoreProxy<Counter>?>(nil)
    let heard = Recorder<Int?>()
    var store: Store<Counter>? = makeStore(
      plugins: [
        Plugin(onStoreEnd: { _ in
          proxy.value?.dispatch(Increment())
          heard.record(proxy.value?.state?.count)
          let token = proxy.value?.subscribe { heard.record($0.count) }
          token?.cancel()
        })
      ])
    proxy.value = store?.proxy
    store = nil
    #expect(heard.values == [nil])
    proxy.value = nil
  }

  @Test("the deinit of an observer may access a proxy when the store is released")
  func observerDeinitAtTheEnd() {
    let tracker = LifetimeTracker()
    let heard = Recorder<Int?>()
    var store: Store<Counter>? = makeStore()
    let proxy = store?.proxy
    var token: SubscriptionToken?
    do {
      let object = tracker.make {
        proxy?.dispatch(Increment())
        heard.record(proxy?.state?.count)
      }
      token = store?.subscribe { _ in object.touch() }
    }
    store = nil
    #expect(tracker.alive == 0)
    #expect(heard.values == [nil])
    token?.cancel()
    token = nil
  }

  @Test("a transition observer may subscribe, cancel, batch and replace the reducer")
  func transitionObserver() {
    let target = target
    let heard = Recorder<Int>()
    let tokens = Shared<[SubscriptionToken]>([])
    let old = Shared<SubscriptionToken?>(nil)
    target.value = makeStore(
      plugins: [
        Plugin(
          onTransition: .actions { _, version in
            guard version == 1, let store = target.value else { return }
            old.exchange(nil)?.cancel()
            tokens.value = [store.subscribe { heard.record($0.count) }]
            store.batch {
              store.dispatch(Increment())
              store.dispatch(Increment())
            }
            store.replaceReducer { (state: inout Counter, _: any Action) in state.count += 100 }
          })
      ])
    old.value = target.value?.subscribe(initial: false) { heard.record(-$0.count) }
    target.value?.dispatch(Increment())
    target.value?.dispatch(Increment())
    #expect(heard.values == [1, 3, 103])
    tokens.value = []
    target.value = nil
  }

  @Test("the part of a proxy is computed outside the lock")
  func proxyPart() {
    let touch = touch
    target.value = makeStore()
    let proxy = target.value?.proxy(for: { state in
      touch()
      return state.count
    })
    #expect(proxy?.state == 0)
    let token = proxy?.subscribe { _ in }
    target.value?.dispatch(Increment())
    #expect(seen.values == [0, 0, 0, 0, 1, 1])
    token?.cancel()
    target.value = nil
  }
}
