import FluxCore

let memoryWorkloads: [Workload] =
  [
    Workload("floor-memory-store", "handwritten: a mutex and a closure", turns: 1_000, unit: .bytes) {
      let keep = Kept<HandWritten<Counter>>()
      return { times in
        for _ in 0..<times { keep.all.append(HandWritten(state: Counter(), reducer: chosen(plain))) }
      }
    },
    Workload(
      "memory-store", "an idle store", floor: "floor-memory-store", turns: 1_000, unit: .bytes
    ) {
      let keep = Kept<Store<Counter>>()
      return { times in
        for _ in 0..<times { keep.all.append(countingStore()) }
      }
    },
    Workload("memory-observer", "an observer of the whole state, with its token", turns: 10_000, unit: .bytes)
    {
      let store = countingStore()
      let keep = Kept<SubscriptionToken>()
      return { times in
        for _ in 0..<times { keep.all.append(store.subscribe { _ in }) }
      }
    },
    Workload("memory-slice-observer", "an observer of a slice, with its token", turns: 10_000, unit: .bytes) {
      let store = countingStore()
      let keep = Kept<SubscriptionToken>()
      return { times in
        for _ in 0..<times { keep.all.append(store.subscribe(to: \.value) { _ in }) }
      }
    },
    Workload("memory-middleware", "one of 1,000 middleware in a store", turns: 1_000, unit: .bytes) {
      let keep = Kept<Store<Counter>>()
      return { times in
        keep.all.append(countingStore(middleware: Array(repeating: passing, count: times)))
      }
    },
  ] + historyMemoryWorkloads

/// The values that a workload keeps, in storage that is allocated before the measurement.
private final class Kept<Value> {
  var all: [Value] = []

  init() {
    all.reserveCapacity(20_000)
  }
}
