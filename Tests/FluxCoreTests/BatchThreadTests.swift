import FluxCore
import TestSupport
import Testing

@Suite struct BatchThreadTests {
  @Test("a batch opened during another thread's pass does not stop that pass, and delays the next one")
  func openedDuringAPass() {
    let store = makeStore()
    let heard = Recorder<String>()
    let entered = Gate()
    let leave = Gate()
    let tokens = [
      store.subscribe(initial: false) { state in
        heard.record("a\(state.count)")
        if state.count == 1 {
          entered.open()
          leave.wait()
        }
      },
      store.subscribe(initial: false) { heard.record("b\($0.count)") },
    ]
    let worker = Worker { store.dispatch(Increment()) }
    entered.wait()
    store.batch {
      store.dispatch(Increment())
      leave.open()
      worker.join()
      #expect(heard.values == ["a1", "b1"])
    }
    #expect(heard.values == ["a1", "b1", "a2", "b2"])
    for token in tokens { token.cancel() }
  }

  @Test("the version of a batch that ends during another thread's pass is delivered by that thread")
  func leavesDuringAPass() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let entered = Gate()
    let leave = Gate()
    let token = store.subscribe(initial: false) { state in
      heard.record(state.count)
      if state.count == 1 {
        entered.open()
        leave.wait()
      }
    }
    let worker = Worker { store.dispatch(Increment()) }
    entered.wait()
    store.batch {
      store.dispatch(Increment())
      store.dispatch(Increment())
    }
    #expect(heard.values == [1])
    leave.open()
    worker.join()
    #expect(heard.values == [1, 3])
    token.cancel()
  }

  @Test("a first call is made while another thread has a batch open")
  func firstCall() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    store.batch {
      store.dispatch(Increment())
      onAnotherThread { token.value = store.subscribe { heard.record($0.count) } }
      #expect(heard.values == [1])
      store.dispatch(Increment())
    }
    #expect(heard.values == [1, 2])
    token.value = nil
  }

  @Test("transitions are delivered while a batch is open on another thread")
  func transitions() {
    let heard = Recorder<UInt64>()
    let store = makeStore(plugins: [Plugin(onTransition: .actions { _, version in heard.record(version) })])
    store.batch {
      onAnotherThread { store.dispatch(Increment()) }
      store.dispatch(Increment())
    }
    #expect(heard.values == [1, 2])
  }

  @Test("an observer that replaces a canceled one in a batch receives nothing from before it subscribed")
  func replacedObserver() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let old = store.subscribe(initial: false) { heard.record(-$0.count) }
    let new = Shared<SubscriptionToken?>(nil)
    store.batch {
      store.dispatch(Increment())
      old.cancel()
      new.value = store.subscribe(initial: false) { heard.record($0.count) }
    }
    #expect(heard.values.isEmpty)
    store.dispatch(Increment())
    #expect(heard.values == [2])
    new.value = nil
  }
}
