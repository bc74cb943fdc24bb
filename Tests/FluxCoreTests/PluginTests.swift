import FluxCore
import TestSupport
import Testing

@Suite struct PluginTests {
  @Test("transitions are delivered once for each action, in order, with versions from one")
  func versions() {
    let heard = Recorder<UInt64>()
    let actions = Recorder<Int>()
    let audit = Plugin<Counter>(
      onTransition: .actions { action, version in
        heard.record(version)
        actions.record((action as? Append)?.element ?? -1)
      })
    let store = makeStore(plugins: [audit])
    for element in 0..<10 { store.dispatch(Append(element: element)) }
    #expect(heard.values == Array(1...10))
    #expect(actions.values == Array(0..<10))
  }

  @Test("a transition has the states before and after its action")
  func states() {
    let heard = Recorder<[Int]>()
    let audit = Plugin<Counter>(
      onTransition: .states { heard.record([Int($0.version), $0.before.count, $0.after.count]) })
    let store = makeStore(plugins: [audit], state: Counter(count: 10))
    store.dispatch(Increment())
    store.dispatch(Nothing())
    store.dispatch(Increment(amount: 5))
    #expect(heard.values == [[1, 10, 11], [2, 11, 11], [3, 11, 16]])
  }

  @Test("a transition contains the duration of its reducer, up to the duration of the dispatch")
  func duration() {
    let heard = Recorder<Duration>()
    let store = makeStore(
      plugins: [
        Plugin(
          wrapReducer: { reducer in
            { state, action in
              let end = ContinuousClock.now + .milliseconds(2)
              reducer(&state, action)
              while ContinuousClock.now < end {}
            }
          }, onTransition: .states { heard.record($0.duration) })
      ])
    let whole = ContinuousClock().measure { store.dispatch(Increment()) }
    #expect(heard.values.count == 1)
    #expect(heard.values.allSatisfy { $0 >= .milliseconds(2) && $0 <= whole })
  }

  @Test("the states of a transition are copies that later actions do not change")
  func copies() {
    let kept = Recorder<StateTransition<Counter>>()
    let store = makeStore(plugins: [Plugin(onTransition: .states { kept.record($0) })])
    for element in 1...3 { store.dispatch(Append(element: element)) }
    #expect(kept.values.map(\.before.log) == [[], [1], [1, 2]])
    #expect(kept.values.map(\.after.log) == [[1], [1, 2], [1, 2, 3]])
  }

  @Test("a transition is delivered before the state observers receive its version")
  func beforeObservers() {
    let heard = Recorder<String>()
    let store = makeStore(plugins: [
      Plugin(onTransition: .actions { _, version in heard.record("t\(version)") })
    ])
    let token = store.subscribe(initial: false) { state in
      heard.record("s\(state.count)")
      if state.count == 1 {
        store.dispatch(Increment())
        store.dispatch(Increment())
      }
    }
    store.dispatch(Increment())
    #expect(heard.values == ["t1", "s1", "t2", "t3", "s3"])
    token.cancel()
  }

  @Test("transitions are delivered without state observers, before dispatch returns")
  func withoutObservers() {
    let heard = Recorder<UInt64>()
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, version in heard.record(version) })])
    store.dispatch(Nothing())
    #expect(heard.values == [1])
  }

  @Test("a transition observer may dispatch, and is not called recursively")
  func dispatching() {
    let heard = Recorder<String>()
    let target = Shared<Store<Counter>?>(nil)
    let audit = Plugin<Counter>(
      onTransition: .actions { _, version in
        heard.record("in \(version)")
        if version < 4 { target.value?.dispatch(Increment()) }
        heard.record("out \(version)")
      })
    let store = makeStore(plugins: [audit])
    target.value = store
    store.dispatch(Increment())
    #expect(heard.values == (1...4).flatMap { ["in \($0)", "out \($0)"] })
    #expect(store.state.count == 4)
    target.value = nil
  }

  @Test("transition observers run outside the store's lock")
  func outsideTheLock() {
    let heard = Recorder<Int?>()
    let target = Shared<Store<Counter>?>(nil)
    let store = makeStore(
      plugins: [Plugin(onTransition: .actions { _, _ in heard.record(target.value?.withState { $0.count }) })]
    )
    target.value = store
    store.dispatch(Increment())
    #expect(heard.values == [1])
    target.value = nil
  }

  @Test("transitions of one version are delivered to the plug-ins in their order")
  func order() {
    let heard = Recorder<String>()
    let store = makeStore(
      plugins: [
        Plugin(onTransition: .actions { _, version in heard.record("a\(version)") }),
        Plugin(onTransition: .states { heard.record("b\($0.version)") }),
        Plugin(onTransition: .actions { _, version in heard.record("c\(version)") }),
      ])
    store.dispatch(Increment())
    #expect(heard.values == ["a1", "b1", "c1"])
  }

  @Test("an action that a middleware holds makes no transition")
  func heldBack() {
    let none: Middleware<Counter> = { _, _ in { _ in { _ in } } }
    let heard = Recorder<UInt64>()
    let store = makeStore(
      middleware: [none], plugins: [Plugin(onTransition: .actions { _, version in heard.record(version) })])
    store.dispatch(Increment())
    #expect(heard.values.isEmpty)
  }

  @Test("the middleware of plug-ins follows the store's, in the plug-ins' order")
  func middleware() {
    let heard = Recorder<String>()
    let named: @Sendable (String) -> Middleware<Counter> = { name in
      { _, _ in
        { next in
          { action in
            heard.record(name)
            next(action)
          }
        }
      }
    }
    let store = makeStore(
      middleware: [named("own")],
      plugins: [Plugin(middleware: named("first")), Plugin(), Plugin(middleware: named("second"))])
    store.dispatch(Increment())
    #expect(heard.values == ["own", "first", "second"])
    #expect(store.state.count == 1)
  }

  @Test("the first plug-in that wraps the reducer is the outermost")
  func wrapping() {
    let store = makeStore(plugins: [wrapper(appending: 1), Plugin(), wrapper(appending: 2)])
    store.dispatch(Append(element: 0))
    #expect(store.state.log == [1, 2, 0, -2, -1])
  }

  @Test("a wrapper may skip the reducer, and change the action")
  func skipping() {
    let doubling = Plugin<Counter>(wrapReducer: { reducer in
      { state, action in
        if action is Nothing { return }
        if let action = action as? Increment {
          reducer(&state, Increment(amount: action.amount * 2))
        } else {
          reducer(&state, action)
        }
      }
    })
    let store = makeStore(plugins: [doubling])
    store.dispatch(Increment())
    store.dispatch(Nothing())
    #expect(store.state == Counter(count: 2))
  }

  @Test("a replaced reducer is wrapped too")
  func wrappingReplaced() {
    let store = makeStore(plugins: [wrapper(appending: 1), wrapper(appending: 2)])
    store.replaceReducer { (state: inout Counter, _: any Action) in state.log.append(9) }
    store.dispatch(Nothing())
    #expect(store.state.log == [1, 2, 9, -2, -1])
  }

  @Test("the end of the store is delivered once, after the last transition, in the plug-ins' order")
  func end() {
    let heard = Recorder<String>()
    let plugins = ["a", "b"].map { name in
      Plugin<Counter>(
        onTransition: .actions { _, version in heard.record("\(name)\(version)") },
        onStoreEnd: { _ in heard.record("\(name) end") })
    }
    var store: Store<Counter>? = makeStore(plugins: plugins)
    store?.dispatch(Increment())
    #expect(heard.values == ["a1", "b1"])
    store = nil
    #expect(heard.values == ["a1", "b1", "a end", "b end"])
  }

  @Test("the end is delivered with the last state, also to a plug-in that receives no transitions")
  func endState() {
    let heard = Recorder<Int>()
    var store: Store<Counter>? = makeStore(plugins: [Plugin(onStoreEnd: { heard.record($0.count) })])
    store?.dispatch(Increment(amount: 5))
    store?.dispatch(Increment(amount: 2))
    store = nil
    #expect(heard.values == [7])
  }

  @Test("a store that is released during a delivery ends after its last transition")
  func endWhileDelivering() {
    let heard = Recorder<String>()
    let holder = Shared<Store<Counter>?>(nil)
    let audit = Plugin<Counter>(
      onTransition: .actions { _, version in
        heard.record("in \(version)")
        holder.value = nil
        heard.record("out \(version)")
      }, onStoreEnd: { _ in heard.record("end") })
    holder.value = makeStore(plugins: [audit])
    let proxy = holder.value?.proxy
    proxy?.dispatch(Increment())
    #expect(heard.values == ["in 1", "out 1", "end"])
    #expect(proxy?.state == nil)
  }

  private func wrapper(appending element: Int) -> Plugin<Counter> {
    Plugin(wrapReducer: { reducer in
      { state, action in
        state.log.append(element)
        reducer(&state, action)
        state.log.append(-element)
      }
    })
  }
}
