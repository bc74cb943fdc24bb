import FluxCore

let liftingWorkloads: [Workload] = [
  lifted("closure", "a reducer lifted with `Substate { … }`") {
    Substate { state, body in body(&state.counter) }
  },
  lifted("accessors", "a reducer lifted with `.accessors`") {
    .accessors(get: { $0.counter }, set: { $0.counter = $1 })
  },
  lifted("key-path", "a reducer lifted with a key path literal") { .keyPath(\.counter) },
  lifted("key-path-any", "a reducer lifted with a key path that the optimizer cannot see") {
    .keyPath(anyPath())
  },
]

/// Returns a key path that the optimizer cannot see, like a key path in a variable.
private func anyPath() -> any WritableKeyPath<Three, Counter> & Sendable {
  let paths: [any WritableKeyPath<Three, Counter> & Sendable] = [\.counter, \.self.counter]
  return paths[unlikely ? 1 : 0]
}

private func lifted(
  _ name: String, _ title: String, part: @escaping @Sendable () -> Substate<Three, Counter>
) -> Workload {
  Workload("lift-\(name)", title, floor: "floor-plain") {
    let reducer: MutatingReducer<Counter> = { counter, _ in counter.value &+= 1 }
    let parts = [part(), Substate { state, body in body(&state.counter) }]
    let store = Store(reducer: lift(reducer, to: parts[unlikely ? 1 : 0]), state: Three())
    return { times in
      let before = store.state.counter.value
      for _ in 0..<times { store.dispatch(Increment()) }
      precondition(store.state.counter.value == before + times)
    }
  }
}
