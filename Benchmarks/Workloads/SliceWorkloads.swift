import FluxCore
import Synchronization

private struct Part: Equatable, Sendable { var b = 0 }

private struct Parts: FluxState {
  var a = Part()
  var c = Part()
  var unobserved = 0
}

let sliceWorkloads: [Workload] = [
  Workload(
    "floor-slices-1000", "handwritten: a comparison of 1,000 unchanged values", turns: 1_000
  ) {
    let store = HandWritten(state: Parts(), reducer: changing(.nothing))
    let slices = (0..<1_000).map { _ in unlikely ? { $0.c.b } : { @Sendable (parts: Parts) in parts.a.b } }
    let last = Mutex(slices.map { _ in 0 })
    let heard = Atomic<Int>(0)
    return { times in
      for _ in 0..<times {
        store.dispatch(Increment())
        let state = store.read { $0 }
        last.withLock { last in
          for index in slices.indices {
            let value = slices[index](state)
            if value != last[index] {
              last[index] = value
              heard.add(1, ordering: .relaxed)
            }
          }
        }
      }
    }
  },
  slices(1, .nothing, .closures), slices(10, .nothing, .closures), slices(1_000, .nothing, .closures),
  slices(1_000, .one, .closures), slices(1, .nothing), slices(10, .nothing), slices(1_000, .nothing),
  slices(1_000, .one), sharedSlices(10), sharedSlices(1_000),
]

private enum Change: String { case nothing, one }

private func changing(_ change: Change) -> Reducer<Parts> {
  { state, _ in
    var state = state
    if change == .one { state.c.b &+= 1 } else { state.unobserved &+= 1 }
    return state
  }
}

/// The form in which a slice is specified.
private enum Form { case keyPaths, closures }

/// Observers of the slice `\.a.b`, which never changes, and one observer of `\.c.b`.
private func slices(_ count: Int, _ change: Change, _ form: Form = .keyPaths) -> Workload {
  let changed = change == .one ? 1 : 0
  let reading = form == .closures ? "closure" : "key path"
  return Workload(
    "slices-\(count)-\(change)\(form == .closures ? "-closures" : "")",
    count == 1
      ? "1 observer of an unchanged slice, read by a \(reading)"
      : "\(grouped(count)) observers of "
        + (changed == 1 ? "slices, one changed" : "unchanged slices") + ", read by \(reading)s",
    floor: count == 1_000 ? "floor-slices-1000" : nil, turns: count == 1_000 ? 1_000 : 10_000
  ) {
    let store = Store(reducer: changing(change), state: Parts())
    let heard = Atomic<Int>(0)
    let hear: @Sendable (Int) -> Void = { _ in heard.add(1, ordering: .relaxed) }
    let tokens = (0..<count).map { index in
      let isLast = index == count - 1
      return form == .keyPaths ? byKeyPath(isLast, of: store, hear) : byClosure(isLast, of: store, hear)
    }
    return { times in
      let before = heard.load(ordering: .relaxed)
      for _ in 0..<times { store.dispatch(Increment()) }
      precondition(heard.load(ordering: .relaxed) == before + times * changed)
      withExtendedLifetime(tokens) {}
    }
  }
}

/// Observers of the slice `\.b` of the shared slice `\.a`, which never changes.
private func sharedSlices(_ count: Int) -> Workload {
  Workload(
    "slices-\(count)-shared",
    "\(grouped(count)) observers of slices of an unchanged shared slice"
  ) {
    let store = Store(reducer: changing(.nothing), state: Parts())
    let shared = store.sharedSlice(of: { $0.a })
    let tokens = (0..<count).map { _ in
      shared.subscribe(to: { $0.b }, initial: false) { _ in preconditionFailure("It has not changed.") }
    }
    return { times in
      for _ in 0..<times { store.dispatch(Increment()) }
      withExtendedLifetime(tokens) {}
    }
  }
}

// These functions are outside the loop, like subscriptions in an app, because a key path literal
// inside a loop is created at run time.

@inline(never)
private func byKeyPath(
  _ isLast: Bool, of store: Store<Parts>, _ hear: @escaping @Sendable (Int) -> Void
) -> SubscriptionToken {
  isLast
    ? store.subscribe(to: \.c.b, initial: false, hear) : store.subscribe(to: \.a.b, initial: false, hear)
}

@inline(never)
private func byClosure(
  _ isLast: Bool, of store: Store<Parts>, _ hear: @escaping @Sendable (Int) -> Void
) -> SubscriptionToken {
  isLast
    ? store.subscribe(to: { $0.c.b }, initial: false, hear)
    : store.subscribe(to: { $0.a.b }, initial: false, hear)
}
