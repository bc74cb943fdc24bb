import FluxCore
import Synchronization

struct Increment: Action {}
struct Decrement: Action {}

struct Counter: FluxState {
  var value = 0
}

/// What a program would write by hand instead of a store: a mutex, a stored closure, an existential action.
final class HandWritten<State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reducer: @Sendable (State, any Action) -> State

  init(state: State, reducer: @escaping @Sendable (State, any Action) -> State) {
    self.state = Mutex(state)
    self.reducer = reducer
  }

  func dispatch(_ action: any Action) {
    state.withLock { state in state = reducer(state, action) }
  }
}

func casting(state: Counter, action: any Action) -> Counter {
  var state = state
  switch action {
  case is Decrement: state.value -= 1
  case is Increment: state.value += 1
  default: break
  }
  return state
}

func plain(state: Counter, action: any Action) -> Counter {
  Counter(value: state.value &+ 1)
}

/// One of two reducers, by what stands on the command line, so that the optimiser cannot know which.
func chosen(_ reducer: @escaping Reducer<Counter>) -> Reducer<Counter> {
  let reducers: [Reducer<Counter>] = [reducer, { state, _ in Counter(value: state.value &- 1) }]
  return reducers[CommandLine.arguments.count - 3]
}

/// Actions of which the optimiser cannot know the type, as in a program that dispatches them from many places.
func anyActions() -> [any Action] {
  CommandLine.arguments.count == 3 ? [Increment(), Decrement()] : [Decrement()]
}

let passing: Middleware<Counter> = { _, _ in { next in { action in next(action) } } }

/// What a workload does so many times.
typealias Workload = @Sendable (_ times: Int) -> Void

let workloads: [String: Workload] = [
  storeWorkloads, asyncWorkloads, collectionWorkloads,
  Dictionary(
    uniqueKeysWithValues: indifferentMiddleware.map { ("indifferent-\($0.key)", indifferent($0.value)) }),
].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

private let storeWorkloads: [String: Workload] = [
  "floor-casting": { times in
    let store = HandWritten(state: Counter(), reducer: chosen(casting))
    for _ in 0..<times { store.dispatch(Increment()) }
  },
  "floor-plain": { times in
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    for _ in 0..<times { store.dispatch(Increment()) }
  },
  "dispatch-casting": { times in
    let store = Store(reducer: chosen(casting), state: Counter())
    for _ in 0..<times { store.dispatch(Increment()) }
  },
  "dispatch-plain": { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    for _ in 0..<times { store.dispatch(Increment()) }
  },
  "floor-any": { times in
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    let actions = anyActions()
    for turn in 0..<times { store.dispatch(actions[turn & 1]) }
  },
  "dispatch-any": { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    let actions = anyActions()
    for turn in 0..<times { store.dispatch(actions[turn & 1]) }
  },
  "middleware-1": middleware(1),
  "middleware-2": middleware(2),
  "middleware-11": middleware(11),
  "observers-1": observers(1),
  "observers-2": observers(2),
  "observers-11": observers(11),
  "observers-101": observers(101),
  "slices-1": slices(1),
  "slices-11": slices(11),
  "dictionary-1000": dictionary(1_000),
  "dictionary-1000000": dictionary(1_000_000),
  "handlers-1": { handlers(1, levels: 0)($0) },
  "handlers-200": { handlers(200, levels: 0)($0) },
  "handlers-1-lifted": { handlers(1, levels: 3)($0) },
  "handlers-200-lifted": { handlers(200, levels: 3)($0) },
  "lift-closure": lifted(Substate { state, body in body(&state.counter) }),
  "lift-accessors": lifted(.accessors(get: { $0.counter }, set: { $0.counter = $1 })),
  "lift-key-path": lifted(.keyPath(\.counter)),
  "lift-key-path-any": { lifted(.keyPath(anyPath()))($0) },
  "transitions": { times in
    let sum = Atomic<Int>(0)
    let plugin = Plugin<Counter>(
      onTransition: .actions { _, _ in sum.add(1, ordering: .relaxed) })
    let store = Store(reducer: chosen(plain), plugins: [plugin], state: Counter())
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(sum.load(ordering: .relaxed) == times)
  },
  "batches": { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    for _ in 0..<times { store.batch { store.dispatch(Increment()) } }
  },
  "reads": { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    for _ in 0..<times { precondition(store.state.value == 0) }
  },
  "subscribe-cancel": { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    for _ in 0..<times { store.subscribe { _ in }.cancel() }
  },
]

/// A key path that the optimiser cannot know, as one that is kept in a variable.
private func anyPath() -> any WritableKeyPath<Three, Counter> & Sendable {
  let paths: [any WritableKeyPath<Three, Counter> & Sendable] = [\.counter, \.self.counter]
  return paths[paths.count - CommandLine.arguments.count + 1]
}

private func lifted(_ part: Substate<Three, Counter>) -> Workload {
  { times in
    let reducer: MutatingReducer<Counter> = { counter, _ in counter.value &+= 1 }
    let parts = [part, Substate { state, body in body(&state.counter) }]
    let chosenPart = parts[CommandLine.arguments.count - 3]
    let store = Store(reducer: lift(reducer, to: chosenPart), state: Three())
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.counter.value == times)
  }
}

private func middleware(_ count: Int) -> Workload {
  { times in
    let store = Store(
      reducer: chosen(plain), middleware: Array(repeating: passing, count: count), state: Counter())
    for _ in 0..<times { store.dispatch(Increment()) }
  }
}

private func observers(_ count: Int) -> Workload {
  { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    let last = Atomic<Int>(0)
    let tokens = (0..<count).map { _ in
      store.subscribe { state in last.store(state.value, ordering: .relaxed) }
    }
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(tokens.count == count && last.load(ordering: .relaxed) == times)
  }
}

private func slices(_ count: Int) -> Workload {
  { times in
    let store = Store(reducer: chosen(plain), state: Counter())
    let calls = Atomic<Int>(0)
    let tokens = (0..<count).map { _ in
      store.subscribe(to: { $0.value < 0 }) { _ in calls.add(1, ordering: .relaxed) }
    }
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(tokens.count == count && calls.load(ordering: .relaxed) == count)
  }
}

struct Entries: FluxState {
  var values: [Int: Int]
}

private func dictionary(_ count: Int) -> Workload {
  { times in
    let reducer: MutatingReducer<Entries> = { state, _ in state.values[7]! &+= 1 }
    let store = Store(
      reducer: reducer, state: Entries(values: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) }))
    )
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.withState { $0.values[7] } == 7 + times)
  }
}
