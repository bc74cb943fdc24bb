import FluxCore
import TestSupport
import Testing

@Suite("Lifted middleware and plug-ins")
struct LiftingTests {
  private struct Whole: FluxState, Equatable {
    var part = Counter()
    var seen: [String] = []
    var entries = Array(repeating: 0, count: 100)
    var selected: Counter?
  }

  private static let reducer: MutatingReducer<Whole> = { whole, action in
    countingReducer(&whole.part, action)
    whole.seen.append("\(type(of: action))")
  }

  private func store(
    _ middleware: Middleware<Whole>..., plugins: [Plugin<Whole>] = [],
    reducer: @escaping MutatingReducer<Whole> = LiftingTests.reducer
  ) -> Store<Whole> {
    Store(reducer: reducer, middleware: middleware, plugins: plugins, state: Whole())
  }

  // MARK: Middleware

  @Test("a lifted middleware receives every action, and reads its part of the state")
  func middleware() {
    let heard = Recorder<Int>()
    let counting: Middleware<Counter> = { _, getState in
      { next in
        { action in
          next(action)
          heard.record(getState()?.count ?? -1)
        }
      }
    }
    let store = store(lift(counting, to: { $0.part }))
    store.dispatch(Increment(amount: 2))
    store.dispatch(Nothing())
    #expect(heard.values == [2, 2])
  }

  @Test("while the part does not exist, a lifted middleware reads no state")
  func absent() {
    let heard = Recorder<Bool>()
    let noting: Middleware<Counter> = { _, getState in
      { next in
        { action in
          heard.record(getState() == nil)
          next(action)
        }
      }
    }
    let store = store(lift(noting, to: { (whole: Whole) in whole.selected }))
    store.dispatch(Nothing())
    store.replaceReducer { (whole: inout Whole, _: any Action) in whole.selected = Counter() }
    store.dispatch(Nothing())
    store.dispatch(Nothing())
    #expect(heard.values == [true, true, false])
  }

  // MARK: Plug-ins

  @Test(
    "a lifted plug-in receives every transition with its part before and after, and its part at the end")
  func transitions() {
    let heard = Recorder<[Int]>()
    let audit = Plugin<Counter>(
      onTransition: .states { heard.record([Int($0.version), $0.before.count, $0.after.count]) },
      onStoreEnd: { heard.record([$0.count]) })
    var store: Store<Whole>? = store(plugins: [lift(audit, to: \.part)])
    store?.dispatch(Increment(amount: 2))
    store?.dispatch(Nothing())
    store = nil
    #expect(heard.values == [[1, 0, 2], [2, 2, 2], [2]])
  }

  @Test("a lifted wrapper changes only its part, before and after its reducer")
  func wrapping() {
    let doubling = Plugin<Counter>(wrapReducer: { reducer in
      { counter, action in
        counter.count *= 2
        reducer(&counter, action)
        counter.log.append(counter.count)
      }
    })
    let store = store(plugins: [lift(doubling, to: \.part)])
    store.dispatch(Increment(amount: 3))
    store.dispatch(Increment(amount: 1))
    #expect(store.state.part == Counter(count: 7, log: [3, 7]))
    #expect(store.state.seen == ["Increment", "Increment"])
  }

  @Test("a wrapper that drops an action keeps its part unchanged; the rest of the state is reduced")
  func swallowing() {
    let locking = Plugin<Counter>(wrapReducer: { _ in { _, _ in } })
    let store = store(plugins: [lift(locking, to: \.part)])
    store.dispatch(Increment())
    #expect(store.state.part == Counter())
    #expect(store.state.seen == ["Increment"])
  }

  @Test(
    "a wrapper that repeats other actions repeats them for its part; the rest of the state is reduced once")
  func repeating() {
    let repeating = Plugin<Counter>(wrapReducer: { reducer in
      { counter, action in
        if action is Rename {
          for amount in 1...3 { reducer(&counter, Increment(amount: amount)) }
        }
        reducer(&counter, action)
        if action is Increment { reducer(&counter, action) }
      }
    })
    let store = store(plugins: [lift(repeating, to: \.part)])
    store.dispatch(Rename(name: "six"))
    #expect(store.state.part == Counter(count: 6, name: "six"))
    store.dispatch(Increment(amount: 10))
    #expect(store.state.part.count == 26)
    #expect(store.state.seen == ["Rename", "Increment"])
  }

  @Test("a pair of closures lifts like a key path")
  func closures() {
    let doubling = Plugin<Int>(wrapReducer: { reducer in
      { count, action in
        count *= 2
        reducer(&count, action)
      }
    })
    let store = store(plugins: [
      lift(
        doubling, get: { (whole: Whole) in whole.part.count },
        set: { whole, count in whole.part.count = count })
    ])
    store.dispatch(Increment(amount: 3))
    store.dispatch(Increment(amount: 1))
    #expect(store.state.part.count == 7)
    #expect(store.state.seen == ["Increment", "Increment"])
  }

  @Test("two lifted plug-ins of nested parts each receive their own part")
  func nesting() {
    let heard = Recorder<String>()
    func noting<State>(_ name: String) -> Plugin<State> {
      Plugin(wrapReducer: { reducer in
        { state, action in
          heard.record("\(name) before \(state)")
          reducer(&state, action)
          heard.record("\(name) after \(state)")
        }
      })
    }
    let inner: Plugin<Counter> = lift(noting("count"), to: \.count)
    let store = store(plugins: [lift(inner, to: \.part), lift(noting("log"), to: \.part.log)])
    store.dispatch(Increment(amount: 4))
    store.dispatch(Append(element: 1))
    #expect(
      heard.values == [
        "count before 0", "log before []", "log after []", "count after 4",
        "count before 4", "log before []", "log after [1]", "count after 4",
      ])
    #expect(store.state.part == Counter(count: 4, log: [1]))
  }

  @Test("values outside the part are still changed in place")
  func inPlace() {
    let addresses = Recorder<UInt>()
    let passing = Plugin<Counter>(wrapReducer: { reducer in { state, action in reducer(&state, action) } })
    let store = store(
      plugins: [lift(passing, to: \.part)],
      reducer: { whole, _ in
        whole.entries[0] += 1
        whole.entries.withUnsafeBufferPointer { addresses.record(UInt(bitPattern: $0.baseAddress)) }
      })
    for _ in 0..<4 { store.dispatch(Nothing()) }
    // The first change may copy a read-only literal.
    #expect(Set(addresses.values.dropFirst()).count == 1)
    #expect(store.state.entries[0] == 4)
  }
}
