import FluxCore
import Synchronization

let dispatchWorkloads: [Workload] = [
  Workload("floor-plain", "handwritten: a reducer without casts") {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
    }
  },
  Workload("dispatch-plain", "a dispatch to a reducer without casts", floor: "floor-plain") {
    counting(countingStore())
  },
  Workload("floor-any", "handwritten: actions whose types the optimizer cannot see") {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    let actions = anyActions()
    return { times in
      for turn in 0..<times { store.dispatch(actions[turn & 1]) }
    }
  },
  Workload("dispatch-any", "a dispatch of actions whose types the optimizer cannot see", floor: "floor-any") {
    let store = countingStore()
    let actions = anyActions()
    return { times in
      for turn in 0..<times { store.dispatch(actions[turn & 1]) }
    }
  },
  Workload("floor-casting", "handwritten: a reducer that casts twice") {
    let store = HandWritten(state: Counter(), reducer: chosen(casting))
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
    }
  },
  Workload(
    "dispatch-casting", "a dispatch to a reducer that casts twice", floor: "floor-casting"
  ) {
    counting(Store(reducer: chosen(casting), state: Counter()))
  },
  Workload("transitions", "a dispatch with a plug-in that receives transitions") {
    let sum = Atomic<Int>(0)
    let plugin = Plugin<Counter>(onTransition: .actions { _, _ in sum.add(1, ordering: .relaxed) })
    let turns = counting(countingStore(plugins: [plugin]))
    return { times in
      let before = sum.load(ordering: .relaxed)
      turns(times)
      precondition(sum.load(ordering: .relaxed) == before + times)
    }
  },
  Workload("batches", "a batch with one dispatch") {
    let store = countingStore()
    return { times in
      for _ in 0..<times { store.batch { store.dispatch(Increment()) } }
    }
  },
  Workload("floor-reads", "handwritten: a read of the state") {
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
