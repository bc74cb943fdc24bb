import FluxCore
import TestSupport
import Testing

@Suite struct HandOverTests {
  @Test("a thread that delivers for others returns while another thread continues to dispatch")
  func handsOver() {
    let store = makeStore()
    let limit = 1_000_000
    let mark = ThreadLocal()
    let isDelivering = Gate()
    let hasReturned = Shared(false)
    let hasEnded = Shared(false)
    let token = store.subscribe(initial: false) { state in
      guard mark.isMarked else { return }
      isDelivering.open()
      // There is a newer version at the end of each pass on this thread, so the passes do not end.
      while !hasEnded.value, store.withState({ $0.count }) == state.count {}
    }
    let first = Worker {
      mark.mark()
      store.dispatch(Increment())
      hasReturned.value = true
    }
    let dispatches = Shared(0)
    let second = Worker {
      isDelivering.wait()
      while !hasReturned.value, dispatches.increment() < limit { store.dispatch(Increment()) }
      hasEnded.value = true
    }
    second.join()
    first.join()
    #expect(dispatches.value < limit)
    token.cancel()
  }

  @Test("when the store is quiet, the last version has been delivered, whichever thread delivered it")
  func lastVersion() {
    let store = Store(
      reducer: { (state: inout Counter, action: any Action) in
        (action as? Signal)?.reduced.open()
        state.count += 1
      }, state: Counter())
    let heard = Recorder<Int>()
    let workers = Shared<[Worker]>([])
    let token = store.subscribe(initial: false) { state in
      heard.record(state.count)
      guard heard.count < 100 else { return }
      // Another thread's action is reduced before this call returns, so this pass is not the last.
      let reduced = Gate()
      workers.value += [Worker { store.dispatch(Signal(reduced: reduced)) }]
      reduced.wait()
    }
    store.dispatch(Nothing())
    for worker in workers.value { worker.join() }
    #expect(heard.values == Array(1...100))
    #expect(store.state.count == 100)
    token.cancel()
  }
}

/// An action that opens a gate when it is reduced.
private struct Signal: Action {
  var reduced: Gate
}
