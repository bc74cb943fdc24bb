import FluxCore

let matchingWorkloads: [Workload] =
  [floorLookUp, enumeration] + counts.map { count in handlers(count, levels: 0) }
  + [handlers(1, levels: 3), handlers(200, levels: 3), elsewhere] + counts.map(casting)

private let counts = [1, 10, 50, 200]

private func ignoring<Other: Action>(_ other: Other.Type) -> ActionHandlers<Counter> {
  on(other) { counter, _ in counter.value &-= 1 }
}

private func ignoring(_ count: Int) -> ActionHandlers<Counter> {
  others.prefix(count).reduce(combine()) { combine($0, ignoring($1)) }
}

/// Returns `count` handlers, the last of which handles the dispatched action.
private func table(_ count: Int) -> ActionHandlers<Counter> {
  combine(ignoring(count - 1), on(Increment.self) { counter, _ in counter.value &+= 1 })
}

private func lifted(_ table: ActionHandlers<Counter>) -> ActionHandlers<One> {
  let three = lift(table, to: Substate<Three, Counter> { state, body in body(&state.counter) })
  let two = lift(three, to: Substate<Two, Three> { state, body in body(&state.three) })
  return lift(two, to: Substate<One, Two> { state, body in body(&state.two) })
}

private func handlers(_ count: Int, levels: Int) -> Workload {
  let which = count == 1 ? "one handler with `on(…)`" : "the last of \(count) handlers with `on(…)`"
  guard levels == 3 else {
    return Workload("handlers-\(count)", which, floor: "floor-look-up") {
      counting(Store(reducer: table(count), state: Counter()))
    }
  }
  return Workload("handlers-\(count)-lifted", which + ", lifted through three levels", floor: "floor-look-up")
  {
    let store = Store(reducer: lifted(table(count)), state: One())
    return { times in
      let before = store.state.two.three.counter.value
      for _ in 0..<times { store.dispatch(Increment()) }
      precondition(store.state.two.three.counter.value == before + times)
    }
  }
}

/// Branches that do not handle the dispatched action.
private let elsewhere = Workload(
  "handlers-elsewhere", "one handler, and ten branches of 199 other handlers, three levels deep",
  floor: "floor-look-up"
) {
  let branch = lifted(ignoring(199))
  let branches = (0..<10).reduce(combine()) { all, _ in combine(all, branch) }
  let store = Store(
    reducer: combine(branches, on(Increment.self) { one, _ in one.visits &+= 1 }), state: One())
  return { times in
    let before = store.state.visits
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.visits == before + times)
  }
}

private func casting<Wanted: Action>(to wanted: Wanted.Type, adding number: Int) -> MutatingReducer<Counter> {
  { counter, action in
    guard action is Wanted else { return }
    counter.value &+= number
  }
}

/// Runs `count` reducers for different types of action in order, each with a cast.
private func casting(_ count: Int) -> Workload {
  Workload(
    "casts-\(count)", count == 1 ? "one reducer that casts" : "the last of \(count) reducers that cast",
    floor: "floor-look-up", turns: count > 10 ? 1_000 : 10_000
  ) {
    let all =
      others.prefix(count - 1).map { casting(to: $0, adding: -1) } + [casting(to: Increment.self, adding: 1)]
    let casts: MutatingReducer<Counter> = { counter, action in
      for reducer in all { reducer(&counter, action) }
    }
    return counting(Store(reducer: casts, state: Counter()))
  }
}

/// A handwritten look-up in a dictionary that is keyed by type.
private let floorLookUp = Workload(
  "floor-look-up", "handwritten: a dictionary of 200 closures, keyed by type"
) {
  var table: [ObjectIdentifier: @Sendable (inout Counter) -> Void] = [:]
  for type in others.prefix(199) { table[ObjectIdentifier(type)] = { $0.value &-= 1 } }
  table[ObjectIdentifier(Increment.self)] = { $0.value &+= 1 }
  let handlers = table
  let store = HandWrittenInPlace(state: Counter()) { counter, action in
    handlers[ObjectIdentifier(type(of: action))]?(&counter)
  }
  let actions = anyActions()
  return { times in
    for _ in 0..<times { store.dispatch(actions[0]) }
  }
}

private enum Letter { case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o }

/// A single type with 225 actions.
private enum Message: Action {
  case a(Letter), b(Letter), c(Letter), d(Letter), e(Letter), f(Letter), g(Letter), h(Letter), i(Letter)
  case j(Letter), k(Letter), l(Letter), m(Letter), n(Letter), o(Letter)
}

private let enumeration = Workload(
  "enum-225", "the last case of an enumeration of 225 actions, with one cast", floor: "floor-look-up"
) {
  let reducer: MutatingReducer<Counter> = { counter, action in
    guard let message = action as? Message else { return }
    switch message {
    case .a(.a), .b(.b), .c(.c), .d(.d), .e(.e), .f(.f), .g(.g): counter.value &-= 1
    case .h(.a), .i(.b), .j(.c), .k(.d), .l(.e), .m(.f), .n(.g): counter.value &-= 2
    case .o(.n): counter.value &-= 3
    case .o(.o): counter.value &+= 1
    default: break
    }
  }
  let store = Store(reducer: reducer, state: Counter())
  let messages: [any Action] = unlikely ? [Message.a(.a)] : [Message.o(.o)]
  return { times in
    let before = store.state.value
    for _ in 0..<times { store.dispatch(messages[0]) }
    precondition(store.state.value == before + times)
  }
}
