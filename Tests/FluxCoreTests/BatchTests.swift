import FluxCore
import TestSupport
import Testing

@Suite struct BatchTests {
  @Test("a batch delivers once, at its end")
  func deliversOnce() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      for _ in 0..<5 { store.dispatch(Increment()) }
      #expect(heard.values.isEmpty)
    }
    #expect(heard.values == [5])
    token.cancel()
  }

  @Test("reductions are not delayed in a batch")
  func stateInside() {
    let store = makeStore()
    store.batch {
      store.dispatch(Increment())
      #expect(store.state.count == 1)
      store.dispatch(Increment())
      #expect(store.state.count == 2)
    }
  }

  @Test("batches nest, and the outermost one delivers")
  func nested() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      store.batch {
        store.batch { store.dispatch(Increment()) }
        store.dispatch(Increment())
      }
      #expect(heard.values.isEmpty)
      store.dispatch(Increment())
      #expect(heard.values.isEmpty)
    }
    #expect(heard.values == [3])
    token.cancel()
  }

  @Test("a batch that throws delivers its dispatched actions, and rethrows the error")
  func throwing() {
    struct Refused: Error {}
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    #expect(throws: Refused.self) {
      try store.batch {
        store.dispatch(Increment())
        try store.batch {
          store.dispatch(Increment())
          throw Refused()
        }
      }
    }
    #expect(heard.values == [2])
    store.dispatch(Increment())
    #expect(heard.values == [2, 3], "no batch stays open")
    token.cancel()
  }

  @Test("a batch returns the value of its closure")
  func result() {
    let store = makeStore()
    let count = store.batch {
      store.dispatch(Increment())
      return store.state.count
    }
    #expect(count == 1)
  }

  @Test("a batch without dispatches calls no observers")
  func empty() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {}
    #expect(heard.values.isEmpty)
    token.cancel()
  }

  @Test("an action that a middleware dispatches in a batch belongs to it")
  func middlewareInside() {
    let doubling: Middleware<Counter> = { dispatch, _ in
      { next in
        { action in
          next(action)
          if action is Rename { dispatch(Increment()) }
        }
      }
    }
    let store = makeStore(middleware: [doubling])
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      store.dispatch(Rename(name: "a"))
      store.dispatch(Rename(name: "b"))
    }
    #expect(heard.values == [2])
    token.cancel()
  }

  @Test(
    "transitions are delivered once for each action in a batch too, before the state observers are called")
  func transitions() {
    let heard = Recorder<String>()
    let audit = Plugin<Counter>(onTransition: .states { heard.record("t\($0.after.count)") })
    let store = makeStore(plugins: [audit])
    let token = store.subscribe(initial: false) { heard.record("s\($0.count)") }
    store.batch {
      for _ in 0..<3 { store.dispatch(Increment()) }
    }
    #expect(heard.values == ["t1", "t2", "t3", "s3"])
    token.cancel()
  }

  @Test("while a batch is open, a dispatch on another thread starts no pass, and returns")
  func otherThread() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      onAnotherThread { store.dispatch(Increment()) }
      #expect(heard.values.isEmpty)
      #expect(store.state.count == 1)
    }
    #expect(heard.values == [1])
    token.cancel()
  }

  @Test("overlapping batches on two threads deliver when the last one ends")
  func twoThreads() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    let opened = Gate()
    let leave = Gate()
    let worker = Worker {
      store.batch {
        store.dispatch(Increment())
        opened.open()
        leave.wait()
      }
    }
    opened.wait()
    store.batch { store.dispatch(Increment()) }
    #expect(heard.values.isEmpty)
    leave.open()
    worker.join()
    #expect(heard.values == [2])
    token.cancel()
  }

  @Test("a batch delays only its own store")
  func perStore() {
    let store = makeStore()
    let other = makeStore()
    let heard = Recorder<Int>()
    let token = other.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      other.dispatch(Increment())
      #expect(heard.values == [1])
    }
    token.cancel()
  }

  @Test("a subscription in a batch makes the first call immediately, with the present state")
  func subscribing() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    store.batch {
      store.dispatch(Increment())
      token.value = store.subscribe { heard.record($0.count) }
      #expect(heard.values == [1])
    }
    #expect(heard.values == [1], "it has seen that version")
    token.value = nil
  }

  @Test("a subscription in a batch without a first call is not called for actions dispatched before it")
  func subscribingWithoutFirstCall() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    store.batch {
      store.dispatch(Increment())
      token.value = store.subscribe(initial: false) { heard.record($0.count) }
      store.dispatch(Increment())
    }
    #expect(heard.values == [2])
    token.value = nil
  }

  @Test("an observer that is canceled in a batch is not called at its end")
  func cancelling() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = store.subscribe(initial: false) { heard.record($0.count) }
    store.batch {
      store.dispatch(Increment())
      token.cancel()
    }
    #expect(heard.values.isEmpty)
  }

  @Test("a batch inside an observer is delivered once, by the following passes")
  func insideAnObserver() {
    let store = makeStore()
    let heard = Recorder<String>()
    let first = store.subscribe(initial: false) { state in
      heard.record("a\(state.count)")
      if state.count == 1 {
        store.batch {
          store.dispatch(Increment())
          store.dispatch(Increment())
        }
        heard.record("left")
      }
    }
    let second = store.subscribe(initial: false) { heard.record("b\($0.count)") }
    store.dispatch(Increment())
    #expect(heard.values == ["a1", "left", "b1", "a3", "b3"])
    first.cancel()
    second.cancel()
  }

  @Test(
    "a first call in a batch that dispatches receives the newer state when the batch ends at the latest")
  func firstCallDispatches() {
    let store = makeStore()
    let heard = Recorder<Int>()
    let token = Shared<SubscriptionToken?>(nil)
    store.batch {
      token.value = store.subscribe { state in
        heard.record(state.count)
        if state.count == 0 { store.dispatch(Increment()) }
      }
    }
    #expect(heard.values == [0, 1])
    token.value = nil
  }
}
