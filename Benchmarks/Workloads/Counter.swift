import FluxCore

struct Increment: Action {}
struct Decrement: Action {}

/// A minimal state.
struct Counter: FluxState {
  var value = 0
}

/// A typical reducer of an app, which casts the action in the order of the cases.
func casting(state: Counter, action: any Action) -> Counter {
  var state = state
  switch action {
  case is Decrement: state.value -= 1
  case is Increment: state.value += 1
  default: break
  }
  return state
}

/// A reducer without casts.
func plain(state: Counter, action: any Action) -> Counter {
  Counter(value: state.value &+ 1)
}

/// Creates a store with the minimal state.
func countingStore(middleware: [Middleware<Counter>] = [], plugins: [Plugin<Counter>] = []) -> Store<Counter>
{
  Store(reducer: chosen(plain), middleware: middleware, plugins: plugins, state: Counter())
}

/// Dispatches the same action in each turn.
func counting(_ store: Store<Counter>) -> Workload.Turns {
  { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}
