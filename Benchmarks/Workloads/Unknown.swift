import FluxCore

// What a program does not know when it is compiled, as one that is put together from many parts.

/// False, which the optimiser cannot know.
let unlikely = CommandLine.arguments.isEmpty

/// A reducer, of which the optimiser cannot know which one it is.
func chosen(_ reducer: @escaping Reducer<Counter>) -> Reducer<Counter> {
  let reducers: [Reducer<Counter>] = [reducer, { state, _ in Counter(value: state.value &- 1) }]
  return reducers[unlikely ? 1 : 0]
}

/// Actions, of which the optimiser cannot know the types.
func anyActions() -> [any Action] {
  unlikely ? [Decrement()] : [Increment(), Decrement()]
}
