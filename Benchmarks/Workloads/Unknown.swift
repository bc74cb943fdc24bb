import FluxCore

// Values that the compiler cannot determine, as in a program that consists of several modules.

/// The value `false`, which the optimizer cannot determine.
let unlikely = CommandLine.arguments.isEmpty

/// Returns the given reducer so that the optimizer cannot identify it.
func chosen(_ reducer: @escaping Reducer<Counter>) -> Reducer<Counter> {
  let reducers: [Reducer<Counter>] = [reducer, { state, _ in Counter(value: state.value &- 1) }]
  return reducers[unlikely ? 1 : 0]
}

/// Returns actions whose types the optimizer cannot determine.
func anyActions() -> [any Action] {
  unlikely ? [Decrement()] : [Increment(), Decrement()]
}
