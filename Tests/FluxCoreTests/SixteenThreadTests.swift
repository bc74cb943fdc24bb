import FluxCore
import TestSupport
import Testing

@Suite("Sixteen threads that use one store", .unlessItHangs)
struct SixteenThreadTests {
  private static let count = 16

  /// The values that observers received, from any thread.
  private final class Received: Sendable {
    let last = Shared(-1)
    let wrong = Shared(0)

    func receive(_ length: Int) {
      if last.exchange(length) >= length { wrong.increment() }
    }
  }

  private final class Owner: Sendable {
    let received = Received()
  }

  @Test("The state is that of a serial run of the reduced actions, and every observer ends with it")
  func everything() {
    let (log, wrapped, gaps) = (Recorder<any Action>(), Shared(0), Shared(0))
    let version = Shared<UInt64>(0)
    let store = makeStore(
      middleware: [Self.doubling],
      plugins: [
        Plugin(
          wrapReducer: { reducer in
            { state, action in
              wrapped.increment()
              reducer(&state, action)
            }
          },
          onTransition: .states { step in
            if version.exchange(step.version) + 1 != step.version { gaps.increment() }
            if step.after.log.count - step.before.log.count != (step.action is Append ? 1 : 0) {
              gaps.increment()
            }
            log.record(step.action)
          })
      ])
    let (kept, owner) = (Recorder<(SubscriptionToken, Received)>(), Owner())
    store.subscribe(owner: owner, to: \.log.count) { owner, length in owner.received.receive(length) }
    let sent = Shared<[Int]>([])
    onThreads(Self.count) { index in
      var random = SeededGenerator(seed: UInt64(index))
      let part = store.proxy(for: \.log)
      var tokens: [SubscriptionToken] = []
      for round in 0..<60 {
        let number = index * 1000 + round
        func send(by dispatch: (any Action) -> Void) {
          sent.change { $0.append(number) }
          dispatch(Append(element: number))
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: send(by: store.dispatch)
        case 2: send(by: store.proxy.dispatch)
        case 3: store.batch { send(by: part.dispatch) }
        case 4:
          store.proxy.batch {
            send(by: store.dispatch)
            part.batch { store.dispatch(Rename(name: "\(number)")) }
          }
        case 5: tokens.append(Self.subscribe(to: store, kept: kept, keeps: round.isMultiple(of: 3)))
        case 6: tokens.append(Self.subscribe(to: part, kept: kept, keeps: round.isMultiple(of: 3)))
        case 7: tokens.randomElement(using: &random)?.cancel()
        case 8: store.replaceReducer(countingReducer)
        case 9: if store.withState({ $0.log.count }) > store.state.log.count { gaps.increment() }
        case 10: if let log = part.state, log.count > store.state.log.count { gaps.increment() }
        default: store.dispatch(Increment())
        }
      }
    }
    let state = store.state
    #expect(gaps.value == 0)
    #expect(wrapped.value == log.count)
    #expect(state == log.values.reduce(into: Counter()) { countingReducer(&$0, $1) })
    // Each number arrives twice: the middleware dispatches it again.
    #expect(state.log.map { abs($0) }.sorted() == sent.value.flatMap { [$0, $0] }.sorted())
    #expect(kept.values.allSatisfy { $0.1.last.value == state.log.count && $0.1.wrong.value == 0 })
    #expect(owner.received.last.value == state.log.count)
    #expect(owner.received.wrong.value == 0)
    for (token, _) in kept.values { token.cancel() }
  }

  @Test("Each thread's actions are reduced in the order in which it dispatched them")
  func order() {
    let store = makeStore()
    onThreads(Self.count) { index in
      for round in 0..<100 {
        let action = Append(element: index * 1000 + round)
        if round.isMultiple(of: 7) { store.batch { store.dispatch(action) } } else { store.dispatch(action) }
      }
    }
    let log = store.state.log
    #expect(log.count == Self.count * 100)
    for index in 0..<Self.count {
      #expect(log.filter { $0 / 1000 == index } == (0..<100).map { index * 1000 + $0 })
    }
  }

  @Test("After another thread has canceled it, an observer receives at most the call that was running")
  func canceling() {
    let store = makeStore()
    let late = Shared(0)
    onThreads(Self.count) { index in
      guard index.isMultiple(of: 2) else {
        for _ in 0..<80 { store.dispatch(Increment()) }
        return
      }
      for _ in 0..<20 {
        let (calls, atCancel) = (Shared(0), Shared<Int?>(nil))
        let token = store.subscribe(initial: false) { _ in
          let count = calls.increment()
          if let before = atCancel.value, count > before + 1 { late.increment() }
        }
        store.dispatch(Increment())
        token.cancel()
        atCancel.value = calls.value
        store.dispatch(Increment())
      }
    }
    #expect(late.value == 0)
    #expect(store.state.count == 8 * 80 + 8 * 40)
  }

  @Test("Observers, actions, reducers, and plug-ins are released with the store after all threads have ended")
  func lifetimes() {
    let tracker = LifetimeTracker()
    var proxy: StoreProxy<Tracking>?
    do {
      let (plugin, link) = (tracker.make(), tracker.make())
      // A thread may keep its closure for a short time after it was joined, and must not keep the
      // store.
      let holder = Shared<Store<Tracking>?>(
        Store(
          reducer: Self.tracking,
          middleware: [
            { _, _ in
              { next in
                { action in
                  link.touch()
                  next(action)
                }
              }
            }
          ], plugins: [Plugin(onTransition: .states { _ in plugin.touch() })], state: Tracking()))
      proxy = holder.value?.proxy
      let kept = Shared<[SubscriptionToken]>([])
      onThreads(Self.count) { index in
        guard let store = holder.value else { return }
        for round in 0..<40 {
          let tracked = tracker.make()
          switch (index + round) % 4 {
          case 0, 1: store.dispatch(Keep(tracked: tracked))
          case 2: kept.change { $0.append(store.subscribe { _ in tracked.touch() }) }
          default:
            store.replaceReducer { (state: inout Tracking, action: any Action) in
              tracked.touch()
              Self.tracking(&state, action)
            }
          }
        }
      }
      #expect(tracker.alive > 0)
      kept.value = []
      holder.value = nil
    }
    #expect(proxy?.state == nil)
    #expect(tracker.alive == 0)
  }

  @Test(
    "A store that one thread releases ends once, and every action is either reduced or dropped as a whole")
  func releasing() {
    for round in 0..<10 {
      let (reduced, ended, late) = (Shared(0), Recorder<Int>(), Shared(0))
      let holder = Shared<Store<Counter>?>(
        makeStore(plugins: [
          Plugin(
            onTransition: .actions { _, _ in
              if ended.count > 0 { late.increment() }
              reduced.increment()
            }, onStoreEnd: { ended.record($0.count) })
        ]))
      let proxy = holder.value?.proxy
      onThreads(Self.count) { index in
        if index == round {
          proxy?.dispatch(Increment())
          holder.value = nil
        } else {
          for _ in 0..<10 {
            let token = proxy?.subscribe { _ in }
            proxy?.batch { proxy?.dispatch(Increment()) }
            token?.cancel()
          }
        }
      }
      #expect(ended.values == [reduced.value])
      #expect(late.value == 0)
      #expect(proxy?.state == nil)
    }
  }

  @MainActor
  @Test("An observer on the main actor receives ever newer states, the last of them at the end")
  func mainActor() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.subscribe(onMain: { inbox.receive($0.count) })
    await resultOfThread {
      onThreads(Self.count) { _ in for _ in 0..<50 { store.dispatch(Increment()) } }
    }
    await inbox.wait { $0 == Self.count * 50 }
    #expect(zip(inbox.values, inbox.values.dropFirst()).allSatisfy { $0 < $1 })
    token.cancel()
  }

  @Test("Observers of a shared slice that come and go on all threads end with its last value")
  func sharedSlice() {
    let store = makeStore()
    let slice = store.sharedSlice(of: \.log.count)
    let kept = Recorder<(SubscriptionToken, Received)>()
    onThreads(Self.count) { index in
      for round in 0..<40 {
        if index.isMultiple(of: 2) {
          store.dispatch(Append(element: round))
        } else {
          let received = Received()
          let token = slice.subscribe { received.receive($0) }
          if round.isMultiple(of: 3) { kept.record((token, received)) } else { token.cancel() }
        }
      }
    }
    let last = store.state.log.count
    #expect(last == 8 * 40)
    #expect(kept.values.allSatisfy { $0.1.last.value == last && $0.1.wrong.value == 0 })
    for (token, _) in kept.values { token.cancel() }
  }

  // MARK: Fixtures

  private struct Tracking: FluxState {
    var last: LifetimeTracker.Tracked?
  }

  private struct Keep: Action {
    let tracked: LifetimeTracker.Tracked
  }

  @Sendable private static func tracking(_ state: inout Tracking, _ action: any Action) {
    if let action = action as? Keep { state.last = action.tracked }
  }

  /// Dispatches each number a second time, as its negative.
  private static let doubling: Middleware<Counter> = { dispatch, _ in
    { next in
      { action in
        next(action)
        if let action = action as? Append, action.element >= 0 { dispatch(Append(element: -action.element)) }
      }
    }
  }

  private static func subscribe(
    to store: Store<Counter>, kept: Recorder<(SubscriptionToken, Received)>, keeps: Bool
  ) -> SubscriptionToken {
    let received = Received()
    let token = store.subscribe(to: \.log.count) { received.receive($0) }
    guard keeps else { return token }
    kept.record((token, received))
    return SubscriptionToken {}
  }

  private static func subscribe(
    to part: StoreProxy<[Int]>, kept: Recorder<(SubscriptionToken, Received)>, keeps: Bool
  ) -> SubscriptionToken {
    let received = Received()
    let token = part.subscribe(to: \.count) { received.receive($0) }
    guard keeps else { return token }
    kept.record((token, received))
    return SubscriptionToken {}
  }
}
