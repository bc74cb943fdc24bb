import FluxCore
import TestSupport
import Testing

private struct App: FluxState, Equatable {
  var counter = Counter()
  var detail: Counter?
  var rows: [Counter] = []
  var screen = Screen.closed
}

private enum Screen: Equatable {
  case closed
  case open(Counter)
}

@Suite struct ReducerTests {
  private let returning: Reducer<Counter> = { state, action in
    var state = state
    countingReducer(&state, action)
    return state
  }

  private let inPlace: MutatingReducer<Counter> = countingReducer

  @Test("a combination runs reducers in order, each on the result of the previous one")
  func combined() {
    let appending: @Sendable (Int) -> Reducer<Counter> = { element in
      { state, _ in Counter(count: state.count, log: state.log + [element + state.log.count]) }
    }
    let reducer: Reducer<Counter> = combine(appending(10), appending(20), appending(30))
    #expect(reducer(Counter(), Nothing()).log == [10, 21, 32])
  }

  @Test("a combination of in-place reducers runs them in order")
  func combinedInPlace() {
    let appending: @Sendable (Int) -> MutatingReducer<Counter> = { element in
      { state, _ in state.log.append(element + state.log.count) }
    }
    let reducer: MutatingReducer<Counter> = combine(appending(10), appending(20), appending(30))
    var state = Counter()
    reducer(&state, Nothing())
    #expect(state.log == [10, 21, 32])
  }

  @Test("the combination of no reducers leaves the state as it is")
  func combinedNone() {
    let returning: Reducer<Counter> = combine()
    let inPlace: MutatingReducer<Counter> = combine()
    var state = Counter(count: 3)
    inPlace(&state, Increment())
    #expect(state == Counter(count: 3))
    #expect(returning(state, Increment()) == state)
  }

  @Test("a reducer that returns the state can be combined with one that changes it in place")
  func mixed() {
    let reducer: MutatingReducer<Counter> = combine(mutating(returning), inPlace)
    var state = Counter()
    reducer(&state, Increment())
    #expect(state.count == 2)
  }

  @Test("a store accepts a combination")
  func inAStore() {
    let store = Store(reducer: combine(inPlace, inPlace), state: Counter())
    store.dispatch(Increment())
    #expect(store.state.count == 2)
  }

  @Test("a reducer is lifted along a key path, in either form, and does not change the rest of the state")
  func keyPath() {
    expect(lift(inPlace, to: \App.counter), turns: App(), into: App(counter: Counter(count: 1)))
    expect(lift(returning, to: \App.counter), turns: App(), into: App(counter: Counter(count: 1)))
  }

  @Test("a reducer is lifted along a key path that is kept in a variable")
  func keyPathInAVariable() {
    let path: any WritableKeyPath<App, Counter> & Sendable = \App.counter
    expect(lift(inPlace, to: path), turns: App(), into: App(counter: Counter(count: 1)))
  }

  @Test("a reducer is lifted along a pair of accessors")
  func accessors() {
    let part = Substate<App, Counter>.accessors(get: { $0.counter }, set: { $0.counter = $1 })
    expect(lift(inPlace, to: part), turns: App(), into: App(counter: Counter(count: 1)))
    expect(lift(returning, to: part), turns: App(), into: App(counter: Counter(count: 1)))
  }

  @Test("a reducer is lifted along a closure that changes the part in place")
  func closure() {
    let part = Substate<App, Counter> { state, change in change(&state.counter) }
    expect(lift(inPlace, to: part), turns: App(), into: App(counter: Counter(count: 1)))
    expect(lift(returning, to: part), turns: App(), into: App(counter: Counter(count: 1)))
  }

  @Test("a reducer lifted to an optional runs while there is a value, and never creates one")
  func optional() {
    let reducer = lift(inPlace, to: .optional(\App.detail))
    expect(reducer, turns: App(detail: Counter()), into: App(detail: Counter(count: 1)))
    expect(reducer, turns: App(), into: App())
  }

  @Test("a reducer lifted to a case runs while the state has that case")
  func enumCase() {
    let screen = Substate<Screen, Counter>.case(
      { if case .open(let counter) = $0 { counter } else { nil } }, Screen.open)
    let reducer = lift(lift(inPlace, to: screen), to: \App.screen)
    expect(reducer, turns: App(screen: .open(Counter())), into: App(screen: .open(Counter(count: 1))))
    expect(reducer, turns: App(screen: .closed), into: App(screen: .closed))
  }

  @Test("a reducer lifted to each element runs on all of them in order")
  func each() {
    let seen = Recorder<Int>()
    let reducer: MutatingReducer<Counter> = { state, action in
      seen.record(state.count)
      countingReducer(&state, action)
    }
    let rows = [1, 2, 3].map { Counter(count: $0) }
    let after = [2, 3, 4].map { Counter(count: $0) }
    expect(lift(reducer, to: .each(\App.rows)), turns: App(rows: rows), into: App(rows: after))
    #expect(seen.values == [1, 2, 3])
    expect(lift(reducer, to: .each(\App.rows)), turns: App(), into: App())
  }

  @Test("paths to a part can be joined")
  func appending() {
    struct Outer: FluxState, Equatable { var app = App(detail: Counter()) }
    let part = Substate<Outer, App>.keyPath(\.app).appending(.optional(\App.detail))
    var state = Outer()
    lift(inPlace, to: part)(&state, Increment())
    #expect(state.app.detail?.count == 1)
    state.app.detail = nil
    lift(inPlace, to: part)(&state, Increment())
    #expect(state.app.detail == nil)
  }

  @Test("lifted reducers of several parts combine")
  func combinedParts() {
    let reducer = combine(lift(inPlace, to: \App.counter), lift(inPlace, to: .optional(\App.detail)))
    expect(
      reducer, turns: App(detail: Counter()),
      into: App(counter: Counter(count: 1), detail: Counter(count: 1)))
  }

  @Test("lifted forms that promise it change a collection in the part in place")
  func inPlaceParts() {
    let setting: MutatingReducer<Counter> = { state, _ in state.log[0] += 1 }
    let parts: [(name: String, part: Substate<App, Counter>)] = [
      ("closure", Substate { state, change in change(&state.counter) }),
      ("key path", .keyPath(\.counter)),
    ]
    for (name, part) in parts {
      var state = App(counter: Counter(log: [0, 0]))
      // The first change makes a copy if the optimizer has put the literal into the program's
      // read-only data.
      state.counter.log[0] = -1
      let before = state.counter.log.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      lift(setting, to: part)(&state, Nothing())
      let after = state.counter.log.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      #expect(before == after, "\(name)")
      #expect(state.counter.log == [0, 0], "\(name)")
    }
  }

  @Test("an optional and each element are changed in place, too")
  func inPlaceOptionalAndEach() {
    let setting: MutatingReducer<Counter> = { state, _ in state.log[0] += 1 }
    var state = App(detail: Counter(log: [0]), rows: [Counter(log: [0])])
    // The first change may make a copy, as above.
    state.detail?.log[0] = -1
    state.rows[0].log[0] = -1
    func addresses() -> [UInt] {
      [state.detail?.log ?? [], state.rows[0].log].map { log in
        log.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      }
    }
    let before = addresses()
    lift(setting, to: .optional(\App.detail))(&state, Nothing())
    lift(setting, to: .each(\App.rows))(&state, Nothing())
    #expect(addresses() == before)
    #expect(state.detail?.log == [0])
    #expect(state.rows[0].log == [0])
  }

  private func expect(
    _ reducer: MutatingReducer<App>, turns before: App, into after: App,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var state = before
    reducer(&state, Increment())
    #expect(state == after, sourceLocation: sourceLocation)
  }

  private func expect(
    _ reducer: Reducer<App>, turns before: App, into after: App,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(reducer(before, Increment()) == after, sourceLocation: sourceLocation)
  }
}
