import FluxCore
import TestSupport
import Testing

@Suite struct SliceTests {
  @Test("an observer of a slice receives it first, and is then called only when it has changed")
  func changes() {
    let store = makeStore(state: Counter(name: "a"))
    let heard = Recorder<String>()
    let token = store.subscribe(to: \.name) { heard.record($0) }
    store.dispatch(Increment())
    store.dispatch(Rename(name: "a"))
    store.dispatch(Rename(name: "b"))
    store.dispatch(Increment())
    #expect(heard.values == ["a", "b"])
    token.cancel()
  }

  @Test("without a first call, an observer of a slice is called when the slice differs from its first value")
  func withoutFirstCall() {
    let store = makeStore(state: Counter(name: "a"))
    let heard = Recorder<String>()
    let token = store.subscribe(to: \.name, initial: false) { heard.record($0) }
    store.dispatch(Rename(name: "a"))
    #expect(heard.values.isEmpty)
    store.dispatch(Rename(name: "b"))
    #expect(heard.values == ["b"])
    token.cancel()
  }

  @Test("an observer of a slice can receive the old and the new value")
  func oldAndNew() {
    let store = makeStore()
    let heard = Recorder<[Int?]>()
    let token = store.subscribe(to: \.count) { old, new in heard.record([old, new]) }
    store.dispatch(Increment())
    store.dispatch(Nothing())
    store.dispatch(Increment(amount: 4))
    #expect(heard.values == [[nil, 0], [0, 1], [1, 5]])
    token.cancel()
  }

  @Test("a slice may be any closure")
  func closure() {
    let store = makeStore()
    let heard = Recorder<Bool>()
    let token = store.subscribe(to: { $0.count.isMultiple(of: 2) }) { heard.record($0) }
    store.dispatch(Increment(amount: 2))
    store.dispatch(Increment())
    store.dispatch(Increment(amount: 2))
    #expect(heard.values == [true, false])
    token.cancel()
  }

  @Test("a slice may be a key path in a variable")
  func keyPathInAVariable() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let path: any KeyPath<Counter, Int> & Sendable = \.count
    let token = store.subscribe(to: path) { heard.record($0) }
    store.dispatch(Rename(name: "a"))
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
    token.cancel()
  }

  @Test("a comparison with the last delivered value decides what counts as a change")
  func comparison() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(to: \.count, by: { abs($0 - $1) < 3 }) { heard.record($0) }
    for _ in 0..<7 { store.dispatch(Increment()) }
    #expect(heard.values == [0, 3, 6])
    token.cancel()
  }

  @Test("a comparison also works for an observer with the old and the new value")
  func comparisonOldAndNew() {
    let store = makeStore()
    let heard = Recorder<[Int?]>()
    let token = store.subscribe(to: \.count, by: { $0 / 2 == $1 / 2 }) { old, new in heard.record([old, new])
    }
    for _ in 0..<4 { store.dispatch(Increment()) }
    #expect(heard.values == [[nil, 0], [0, 2], [2, 4]])
    token.cancel()
  }

  @Test("a slice without equality can be observed with a comparison")
  func notEquatable() {
    struct Bare: Sendable { var count: Int }
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(to: { Bare(count: $0.count) }, by: { $0.count == $1.count }) {
      heard.record($0.count)
    }
    store.dispatch(Rename(name: "a"))
    store.dispatch(Increment())
    #expect(heard.values == [0, 1])
    token.cancel()
  }

  @Test("an optional slice distinguishes nil from a value")
  func optionalSlice() {
    let store = makeStore()
    let heard = Recorder<Int?>()
    let token = store.subscribe(to: { $0.log.first }) { (first: Int?) in heard.record(first) }
    store.dispatch(Increment())
    store.dispatch(Append(element: 5))
    store.dispatch(Append(element: 6))
    #expect(heard.values == [nil, 5])
    token.cancel()
  }

  @Test("slices and comparisons run outside the store's lock")
  func outsideTheLock() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(
      to: { state in state.count + store.state.count },
      by: { old, new in store.withState { _ in old == new } },
      initial: false, { (count: Int) in heard.record(count) })
    store.dispatch(Increment())
    #expect(heard.values == [2])
    token.cancel()
  }

  @Test("a comparison may dispatch")
  func comparisonDispatches() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(
      to: \.count,
      by: { old, new in
        if new == 1 { store.dispatch(Increment()) }
        return old == new
      }, { (count: Int) in heard.record(count) })
    store.dispatch(Increment())
    #expect(heard.values == [0, 1, 2])
    token.cancel()
  }

  @Test("an observer that dispatches is called with the slice that its own action made")
  func dispatchInside() {
    let store = makeStore()
    let heard = Recorder<[Int?]>()
    let token = store.subscribe(to: \.count) { old, new in
      heard.record([old, new])
      if new < 3 { store.dispatch(Increment()) }
    }
    #expect(heard.values == [[nil, 0], [0, 1], [1, 2], [2, 3]])
    token.cancel()
  }

  @Test("a slice that changes and changes back in a batch makes no call")
  func thereAndBack() {
    let store = makeStore(state: Counter(name: "a"))
    let heard = Recorder<String>()
    let token = store.subscribe(to: \.name, initial: false) { heard.record($0) }
    store.batch {
      store.dispatch(Rename(name: "b"))
      store.dispatch(Rename(name: "a"))
    }
    #expect(heard.values.isEmpty)
    token.cancel()
  }
}
