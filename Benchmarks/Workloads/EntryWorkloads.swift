import FluxCollections
import FluxCore
import FluxMiddleware
import Synchronization

private struct Entries: FluxState {
  var values: [Int: Int]
}

private let sizes = [1_000, 100_000, 1_000_000]

let entryWorkloads: [Workload] =
  [floorInPlace, floorReturning]
  + sizes.flatMap { size in
    [
      dictionary(size, .inPlace, observed: false), dictionary(size, .inPlace, observed: true),
      dictionary(size, .returning, observed: false), dictionary(size, .returning, observed: true),
    ]
  }
  + [1_000, 1_000_000].flatMap { size in [ordered(size), orderedKept(size)] }

private enum Form { case inPlace, returning }

private func entries(_ count: Int) -> Entries {
  Entries(values: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) }))
}

private let inPlace: MutatingReducer<Entries> = { state, _ in state.values[7]! &+= 1 }

private let returning: Reducer<Entries> = { state, _ in
  var state = state
  state.values[7]! &+= 1
  return state
}

private let floorInPlace = Workload(
  "floor-dictionary", "handwritten: an in-place change of 1 of 1,000,000 entries"
) {
  let store = HandWrittenInPlace(state: entries(million), reducer: inPlace)
  return { times in
    for _ in 0..<times { store.dispatch(Increment()) }
  }
}

private let floorReturning = Workload(
  "floor-dictionary-returning", "handwritten: a change of 1 of 1,000,000 entries in a returned copy",
  turns: 10
) {
  let store = HandWritten(state: entries(million), reducer: returning)
  return { times in
    for _ in 0..<times { store.dispatch(Increment()) }
  }
}

/// Changes one entry of a dictionary, optionally with an observer of that entry.
private func dictionary(_ size: Int, _ form: Form, observed: Bool) -> Workload {
  let isReturning = form == .returning
  return Workload(
    "dictionary-\(size)" + (isReturning ? "-returning" : "") + (observed ? "-observed" : ""),
    (isReturning
      ? "a change of 1 of \(grouped(size)) entries in a returned copy"
      : "an in-place change of 1 of \(grouped(size)) entries")
      + (observed ? ", with an observer" : ""),
    floor: size == million && !observed
      ? (isReturning ? "floor-dictionary-returning" : "floor-dictionary") : nil,
    turns: isReturning ? max(10, 1_000_000 / size) : 10_000
  ) {
    let store =
      isReturning
      ? Store(reducer: returning, state: entries(size)) : Store(reducer: inPlace, state: entries(size))
    let heard = Atomic<Int>(0)
    let token =
      observed
      ? store.subscribe(to: { $0.values[7] }, initial: false) { _ in heard.add(1, ordering: .relaxed) } : nil
    return { times in
      let before = heard.load(ordering: .relaxed)
      for _ in 0..<times { store.dispatch(Increment()) }
      precondition(heard.load(ordering: .relaxed) == before + (token == nil ? 0 : times))
    }
  }
}

/// Changes one element of a list while no code keeps an old version.
private func ordered(_ size: Int) -> Workload {
  Workload("list-\(size)", "an in-place change of 1 of \(grouped(size)) elements in an `OrderedState`") {
    let store = Store(reducer: starring, state: Rows(rows: list(size)))
    return { times in
      for turn in 0..<times { store.dispatch(Star(id: id(turn, of: size))) }
    }
  }
}

/// Changes one element of a list while element observers, a slice observer, a history, and logging
/// keep old versions.
private func orderedKept(_ size: Int) -> Workload {
  Workload(
    "list-\(size)-kept",
    "a change of 1 of \(grouped(size)) elements in an `OrderedState`, with versions kept by "
      + "element observers, a slice, a history, and logging",
    turns: 2_000
  ) {
    let lines = Atomic<Int>(0)
    let store = Store(
      reducer: starring,
      plugins: [
        History<Rows>().plugin,
        // The thread that dispatches writes the lines, so that the count is reproducible. Another
        // workload measures the differences, which a background thread usually computes.
        .logging(
          limits: StateDifference.Limits(comparisons: 0), buffer: 0,
          sink: LogSink { _ in lines.add(1, ordering: .relaxed) }),
      ],
      state: Rows(rows: list(size)))
    let heard = Atomic<Int>(0)
    let slice = store.subscribe(to: { $0.rows.stamp }, initial: false) { _ in heard.add(1, ordering: .relaxed)
    }
    let observers = ElementObservers(of: store) { $0.rows }
    let tokens = (0..<thousand).map { id in
      observers.subscribe(to: id, initial: false) { _ in heard.add(1, ordering: .relaxed) }
    }
    return { times in
      let before = lines.load(ordering: .relaxed)
      for turn in 0..<times { store.dispatch(Star(id: id(turn, of: size))) }
      precondition(lines.load(ordering: .relaxed) == before + times)
      withExtendedLifetime((slice, tokens)) {}
    }
  }
}
