import FluxCore

struct Increment: Action {}
struct Decrement: Action {}

/// The smallest state there is something to do with.
struct Counter: FluxState {
  var value = 0
}

/// A user's reducer that casts, in the order of its cases.
func casting(state: Counter, action: any Action) -> Counter {
  var state = state
  switch action {
  case is Decrement: state.value -= 1
  case is Increment: state.value += 1
  default: break
  }
  return state
}

/// A reducer that casts nothing.
func plain(state: Counter, action: any Action) -> Counter {
  Counter(value: state.value &+ 1)
}

/// A store of the smallest state.
func countingStore(middleware: [Middleware<Counter>] = [], plugins: [Plugin<Counter>] = []) -> Store<Counter>
{
  Store(reducer: chosen(plain), middleware: middleware, plugins: plugins, state: Counter())
}

/// Sends the same action each turn.
func counting(_ store: Store<Counter>) -> Workload.Turns {
  { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.value == before + times)
  }
}
