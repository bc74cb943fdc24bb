import FluxCollections
import FluxCore
import FluxMiddleware

/// A state with an array of rows, which each step copies.
private struct ArrayRows: FluxState {
  var rows: [Row]
}

private let size = 100_000

let historyWorkloads: [Workload] = [
  Workload(
    "floor-history",
    "handwritten: a change of 1 of 100,000 elements in an array, with each version kept", turns: 20
  ) {
    let store = HandWrittenInPlace(state: ArrayRows(rows: (0..<size).map(row))) { state, action in
      guard let star = action as? Star else { return }
      state.rows[star.id].stars &+= 1
    }
    var versions: [ArrayRows] = []
    return { times in
      for turn in 0..<times {
        versions.append(store.read { $0 })
        store.dispatch(Star(id: id(turn, of: size)))
      }
    }
  },
  Workload(
    "history", "a history step for a change of 1 of 100,000 elements in an `OrderedState`",
    floor: "floor-history",
    turns: thousand, setUp: starringWithHistory),
  Workload("history-undo", "an undo and a redo of a history step", turns: 500) {
    let store = storeWithHistory()
    for turn in 0..<thousand { store.dispatch(Star(id: id(turn, of: size))) }
    return { times in
      for _ in 0..<times {
        store.dispatch(HistoryAction.undo)
        store.dispatch(HistoryAction.redo)
      }
    }
  },
  paused(inTheMiddleOf: 1_000, .preserved), paused(inTheMiddleOf: 100_000, .preserved),
  paused(inTheMiddleOf: 1_000, .undoneWithEntry), paused(inTheMiddleOf: 100_000, .undoneWithEntry),
]

/// Dispatches an action while a history is paused in the middle of its record.
private func paused(inTheMiddleOf count: Int, _ policy: UnrecordedActionPolicy) -> Workload {
  let isPreserving = policy == .preserved
  return Workload(
    "history-paused-\(count)" + (isPreserving ? "" : "-undone-with-entry"),
    "an unrecorded action in the middle of \(grouped(count)) entries"
      + (isPreserving ? "" : ", which is undone with the preceding entry"), turns: thousand
  ) {
    let history = History<Rows>(limit: count, unrecorded: policy)
    let store = Store(reducer: starring, plugins: [history.plugin], state: Rows(rows: list(100)))
    for turn in 0..<count { store.dispatch(Star(id: id(turn, of: 100))) }
    store.dispatch(HistoryAction.jump(to: count / 2))
    store.dispatch(HistoryAction.pause)
    return { times in
      for turn in 0..<times { store.dispatch(Star(id: id(turn, of: 100))) }
    }
  }
}

let historyMemoryWorkloads: [Workload] = [
  Workload(
    "floor-memory-history-step", "handwritten: a version of an array of 100,000 elements", turns: 20,
    unit: .bytes
  ) {
    var rows = (0..<size).map(row)
    var versions: [[Row]] = []
    versions.reserveCapacity(1_000)
    return { times in
      for turn in 0..<times {
        versions.append(rows)
        rows[id(turn, of: size)].stars &+= 1
      }
    }
  },
  Workload(
    "memory-history-step", "a history step for a change of 1 of 100,000 elements in an `OrderedState`",
    floor: "floor-memory-history-step", turns: thousand, unit: .bytes, setUp: starringWithHistory),
]

private func storeWithHistory() -> Store<Rows> {
  Store(
    reducer: starring, plugins: [History<Rows>(limit: 2 * thousand).plugin], state: Rows(rows: list(size)))
}

@Sendable private func starringWithHistory() -> Workload.Turns {
  let store = storeWithHistory()
  return { times in
    for turn in 0..<times { store.dispatch(Star(id: id(turn, of: size))) }
  }
}
