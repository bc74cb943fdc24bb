import FluxCore
import Synchronization

let observerWorkloads: [Workload] =
  [floorObservers(101), floorObservers(10_000)]
  + [1, 2, 11, 101, 10_000].map(observers)
  + [0, 10, 100_000].map(subscribing)

/// An observer, as in the observer pattern.
private protocol Told: AnyObject, Sendable {
  func hear(_ state: Counter)
}

private final class Listener: Told {
  let last = Atomic<Int>(0)
  func hear(_ state: Counter) { last.store(state.value, ordering: .relaxed) }
}

private final class OtherListener: Told {
  func hear(_ state: Counter) {}
}

private func turns(for observers: Int) -> Int { observers > 1_000 ? 100 : 10_000 }

/// Calls a list of observers after a handwritten dispatch.
private func floorObservers(_ count: Int) -> Workload {
  Workload("floor-observers-\(count)", "handwritten: \(grouped(count)) observers", turns: turns(for: count)) {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    let all: [any Told] = (0..<count).map { _ in unlikely ? OtherListener() as any Told : Listener() }
    let observers = Mutex(all)
    return { times in
      for _ in 0..<times {
        store.dispatch(Increment())
        let state = store.read { $0 }
        for observer in observers.withLock({ $0 }) { observer.hear(state) }
      }
    }
  }
}

private func observers(_ count: Int) -> Workload {
  let floor = [101, 10_000].contains(count) ? "floor-observers-\(count)" : nil
  return Workload(
    "observers-\(count)",
    "a dispatch with \(grouped(count)) observer\(count == 1 ? "" : "s") of the whole state",
    floor: floor,
    turns: turns(for: count)
  ) {
    let store = countingStore()
    let last = Atomic<Int>(0)
    let tokens = (0..<count).map { _ in
      store.subscribe { state in last.store(state.value, ordering: .relaxed) }
    }
    let turns = counting(store)
    return { times in
      turns(times)
      precondition(tokens.count == count && last.load(ordering: .relaxed) == store.state.value)
    }
  }
}

private func subscribing(_ others: Int) -> Workload {
  let name = others == 0 ? "subscribe-cancel" : "subscribe-cancel-\(others)"
  return Workload(
    name, "subscribe and cancel, with\(others == 0 ? "out" : " \(grouped(others))") other observers"
  ) {
    let store = countingStore()
    let tokens = (0..<others).map { _ in store.subscribe(initial: false) { _ in } }
    return { times in
      for _ in 0..<times { store.subscribe { _ in }.cancel() }
      precondition(tokens.count == others)
    }
  }
}
