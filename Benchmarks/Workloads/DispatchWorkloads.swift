import FluxCore
import Synchronization

let dispatchWorkloads: [Workload] = [
  Workload("floor-plain", "by hand: a reducer that casts nothing") {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
    }
  },
  Workload("dispatch-plain", "a dispatch, a reducer that casts nothing", floor: "floor-plain") {
    counting(countingStore())
  },
  Workload("floor-any", "by hand: actions of types unknown to the optimiser") {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    let actions = anyActions()
    return { times in
      for turn in 0..<times { store.dispatch(actions[turn & 1]) }
    }
  },
  Workload("dispatch-any", "a dispatch, actions of types unknown to the optimiser", floor: "floor-any") {
    let store = countingStore()
    let actions = anyActions()
    return { times in
      for turn in 0..<times { store.dispatch(actions[turn & 1]) }
    }
  },
  Workload("floor-casting", "by hand: a reducer of two casting cases, the second") {
    let store = HandWritten(state: Counter(), reducer: chosen(casting))
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
    }
  },
  Workload(
    "dispatch-casting", "a dispatch, a reducer of two casting cases, the second", floor: "floor-casting"
  ) {
    counting(Store(reducer: chosen(casting), state: Counter()))
  },
  Workload("transitions", "a dispatch that a plug-in hears of") {
    let sum = Atomic<Int>(0)
    let plugin = Plugin<Counter>(onTransition: .actions { _, _ in sum.add(1, ordering: .relaxed) })
    let turns = counting(countingStore(plugins: [plugin]))
    return { times in
      let before = sum.load(ordering: .relaxed)
      turns(times)
      precondition(sum.load(ordering: .relaxed) == before + times)
    }
  },
  Workload("batches", "a batch of one dispatch") {
    let store = countingStore()
    return { times in
      for _ in 0..<times { store.batch { store.dispatch(Increment()) } }
    }
  },
  Workload("floor-reads", "by hand: a read") {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return { times in
      for _ in 0..<times { precondition(store.read { $0.value } == 0) }
    }
  },
  Workload("reads", "a read of `state`", floor: "floor-reads") {
    let store = countingStore()
    return { times in
      for _ in 0..<times { precondition(store.state.value == 0) }
    }
  },
]
