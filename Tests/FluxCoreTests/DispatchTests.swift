import FluxCore
import TestSupport
import Testing

@Suite struct DispatchTests {
  @Test("each action is reduced once")
  func reducedOnce() {
    let reduced = Shared(0)
    let store = Store(
      reducer: { (state: inout Counter, action: any Action) in
        reduced.increment()
        countingReducer(&state, action)
      }, state: Counter())
    for _ in 0..<10 { store.dispatch(Increment()) }
    #expect(reduced.value == 10)
    #expect(store.state.count == 10)
  }

  @Test("actions are reduced in the order in which one thread dispatches them")
  func order() {
    let store = makeStore()
    for element in 0..<100 { store.dispatch(Append(element: element)) }
    #expect(store.state.log == Array(0..<100))
  }

  @Test("send has the effect of dispatch, on a store and on a proxy")
  func send() {
    let passed = Shared(0)
    let counting: Middleware<Counter> = { _, _ in
      { next in
        { action in
          passed.increment()
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [counting])
    store.send(Increment())
    store.proxy.send(Increment())
    let sendToPart: DispatchFunction = store.proxy(for: \.count).send
    sendToPart(Increment())
    #expect(store.state.count == 3)
    #expect(passed.value == 3)
  }

  @Test("after dispatch returns, a read on that thread includes the action")
  func synchronous() {
    let store = makeStore()
    for count in 1...10 {
      store.dispatch(Increment())
      #expect(store.state.count == count)
      #expect(store.withState { $0.count } == count)
    }
  }

  @Test("no action is reduced and no observer is called while a store is made")
  func making() {
    let reduced = Shared(0)
    let store = Store(
      reducer: { (state: inout Counter, _: any Action) in
        reduced.increment()
        state.count += 1
      }, state: Counter(count: 3))
    #expect(reduced.value == 0)
    #expect(store.state.count == 3)
  }

  @Test("the spelling with a label dispatches, too")
  func labelled() {
    let store = makeStore()
    store.dispatch(action: Increment())
    #expect(store.state.count == 1)
  }

  @Test("the dispatch method is a dispatch function")
  func asFunction() {
    let store = makeStore()
    let dispatch: DispatchFunction = store.dispatch
    dispatch(Increment())
    #expect(store.state.count == 1)
  }

  @Test("a reducer that returns the next state has the effect of one that changes it in place")
  func returningReducer() {
    let reducer: Reducer<Counter> = { state, action in
      var state = state
      if let action = action as? Increment { state.count += action.amount }
      return state
    }
    let store = Store(reducer: reducer, state: Counter())
    store.dispatch(Increment(amount: 2))
    #expect(store.state.count == 2)
  }

  @Test("an action that changes nothing still makes a new version")
  func unhandledAction() {
    let versions = Recorder<UInt64>()
    let audit = Plugin<Counter>(onTransition: .actions { _, version in versions.record(version) })
    let store = makeStore(plugins: [audit])
    let calls = Shared(0)
    let token = store.subscribe(initial: false) { _ in _ = calls.increment() }
    store.dispatch(Nothing())
    store.dispatch(Nothing())
    #expect(versions.values == [1, 2])
    #expect(calls.value == 2)
    token.cancel()
  }

  @Test("a state that was read does not change later")
  func snapshot() {
    let store = makeStore()
    store.dispatch(Append(element: 1))
    let before = store.state
    store.dispatch(Append(element: 2))
    #expect(before.log == [1])
    #expect(store.state.log == [1, 2])
  }

  @Test("a state is changed in place unless a copy of it is kept")
  func inPlace() {
    let store = Store(
      reducer: { (state: inout Counter, action: any Action) in
        if let action = action as? Append { state.log[0] = action.element }
      }, state: Counter(log: [0, 0, 0]))
    // The first change makes a copy if the optimizer has put the literal into the program's
    // read-only data.
    store.dispatch(Append(element: 0))
    let before = store.withState { $0.log.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    for element in 1...10 { store.dispatch(Append(element: element)) }
    let after = store.withState { $0.log.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
    #expect(before == after)
    #expect(store.state.log == [10, 0, 0])
  }

  @Test("withState returns the value of its closure, and rethrows its error")
  func readInPlace() {
    struct Refused: Error {}
    let store = makeStore(state: Counter(name: "a"))
    #expect(store.withState { $0.name } == "a")
    #expect(throws: Refused.self) { try store.withState { _ in throw Refused() } }
    store.dispatch(Increment())
    #expect(store.state.count == 1, "the store goes on after a throw")
  }

  @Test("stores are independent: an observer of one store may dispatch to another")
  func twoStores() {
    let first = makeStore()
    let second = makeStore()
    let token = first.subscribe(initial: false) { _ in second.dispatch(Increment()) }
    first.dispatch(Increment())
    first.dispatch(Increment())
    #expect(second.state.count == 2)
    token.cancel()
  }

  @Test("a reducer may dispatch to another store")
  func reducerOfAnotherStore() {
    let other = makeStore()
    let heard = Recorder<Int>()
    let token = other.subscribe(initial: false) { heard.record($0.count) }
    let store = Store(
      reducer: { (state: inout Counter, _: any Action) in
        state.count += 1
        other.dispatch(Increment())
      }, state: Counter())
    store.dispatch(Nothing())
    store.dispatch(Nothing())
    #expect(heard.values == [1, 2])
    token.cancel()
  }
}
