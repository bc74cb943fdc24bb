import FluxCore

// Two hundred types of action, made of fifteen letters, two by two.
struct Pair<First, Second>: Action {}
enum A {}
enum B {}
enum C {}
enum D {}
enum E {}
enum F {}
enum G {}
enum H {}
enum I {}
enum J {}
enum K {}
enum L {}
enum M {}
enum N {}
enum O {}

struct One: FluxState { var two = Two() }
struct Two: FluxState { var three = Three() }
struct Three: FluxState { var counter = Counter() }

func handlers(_ count: Int, levels: Int) -> Workload {
  let letters: [Any.Type] = [
    A.self, B.self, C.self, D.self, E.self, F.self, G.self, H.self, I.self, J.self, K.self, L.self, M.self,
    N.self,
    O.self,
  ]
  let pairs = letters.flatMap { first in letters.map { second in ignoring(first, second) } }
  let counting: ActionHandlers<Counter> = on(Increment.self) { counter, _ in counter.value &+= 1 }
  let all = pairs.prefix(count - 1).reduce(combine()) { combine($0, $1) }
  let table = combine(all, counting)
  guard levels == 3 else {
    return { times in
      let store = Store(reducer: table, state: Counter())
      for _ in 0..<times { store.dispatch(Increment()) }
      precondition(store.state.value == times)
    }
  }
  let three = lift(table, to: Substate<Three, Counter> { state, body in body(&state.counter) })
  let two = lift(three, to: Substate<Two, Three> { state, body in body(&state.three) })
  let one = lift(two, to: Substate<One, Two> { state, body in body(&state.two) })
  return { times in
    let store = Store(reducer: one, state: One())
    for _ in 0..<times { store.dispatch(Increment()) }
    precondition(store.state.two.three.counter.value == times)
  }
}

private func ignoring(_ first: Any.Type, _ second: Any.Type) -> ActionHandlers<Counter> {
  func make<First, Second>(_ first: First.Type, _ second: Second.Type) -> ActionHandlers<Counter> {
    on(Pair<First, Second>.self) { counter, _ in counter.value &-= 1 }
  }
  func open<First>(_ first: First.Type) -> ActionHandlers<Counter> {
    func openSecond<Second>(_ second: Second.Type) -> ActionHandlers<Counter> { make(first, second) }
    return _openExistential(second, do: openSecond)
  }
  return _openExistential(first, do: open)
}
