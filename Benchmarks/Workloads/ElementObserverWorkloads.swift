import FluxCollections
import FluxCore
import Synchronization

let elementObserverWorkloads: [Workload] =
  [floorElementObservers] + [10, 1_000, 10_000, 100_000].map(elementObservers)

private let rows = 100_000

/// Finds observers by the id in the action, which the code must therefore know.
private let floorElementObservers = Workload(
  "floor-element-observers", "handwritten: a dictionary of observers, keyed by the changed id"
) {
  let store = HandWrittenInPlace(state: ArrayAndDictionary(rows)) { state, action in
    guard let star = action as? Star else { return }
    state.update(star.id) { $0.stars &+= 1 }
  }
  let heard = Atomic<Int>(0)
  let hear: @Sendable (Row?) -> Void = { _ in heard.add(1, ordering: .relaxed) }
  let observers = Mutex(Dictionary(uniqueKeysWithValues: (0..<rows).map { ($0, hear) }))
  return { times in
    for turn in 0..<times {
      let star = Star(id: turn % 10)
      store.dispatch(star)
      let changed = store.read { $0[id: star.id] }
      observers.withLock { $0[star.id] }?(changed)
    }
  }
}

/// Changes one of 100,000 elements, and calls the observer of the element.
private func elementObservers(_ count: Int) -> Workload {
  Workload(
    "element-observers-\(count)",
    "a change of 1 of 100,000 elements, with \(grouped(count)) element observers",
    floor: "floor-element-observers"
  ) {
    let store = Store(reducer: starring, state: Rows(rows: list(rows)))
    let heard = Atomic<Int>(0)
    let observers = ElementObservers(of: store) { $0.rows }
    let tokens = (0..<count).map { id in
      observers.subscribe(to: id, initial: false) { _ in heard.add(1, ordering: .relaxed) }
    }
    let turns: @Sendable (Int) -> Void = { times in
      for turn in 0..<times { store.dispatch(Star(id: turn % 10)) }
    }
    // Run until the list's journal has performed each operation, because the first call of some
    // operations includes a look-up of the run-time.
    turns(2_000)
    return { times in
      let before = heard.load(ordering: .relaxed)
      turns(times)
      precondition(tokens.count == count && heard.load(ordering: .relaxed) == before + times)
    }
  }
}
