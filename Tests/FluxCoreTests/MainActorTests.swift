import FluxCore
import TestSupport
import Testing

@MainActor
@Suite struct MainActorTests {
  @Test("a main-actor dispatch that delivers before it returns has reached the observers by then")
  func face() {
    let store = makeStore()
    var heard: [Int] = []
    let token = store.subscribe(to: \.count, onMain: { count in heard.append(count) })
    store.dispatch(Increment())
    #expect(heard == [0], "without the face, the call comes later")
    store.deliverOnMain()
    #expect(heard == [0, 1])
    store.batch {
      store.dispatch(Increment())
      store.deliverOnMain()
      #expect(heard == [0, 1], "a batch holds it back")
    }
    store.deliverOnMain()
    #expect(heard == [0, 1, 2])
    token.cancel()
  }

  @TaskLocal static var request = "nobody's"

  @Test("an observer on the main actor does not run with the task-local values of the dispatching task")
  func taskLocals() async {
    let store = makeStore()
    let request = await withCheckedContinuation { (heard: CheckedContinuation<String, Never>) in
      let token = Shared<SubscriptionToken?>(nil)
      token.value = store.subscribe(
        to: \.count, initial: false,
        onMain: { _ in
          token.value?.cancel()
          heard.resume(returning: Self.request)
        })
      Self.$request.withValue("mine") { store.dispatch(Increment()) }
    }
    #expect(request == "nobody's")
  }

  @Test("the first call is made before subscribe returns")
  func firstCall() {
    let store = makeStore(state: Counter(count: 3))
    var heard: [Int] = []
    let token = store.subscribe(onMain: { heard.append($0.count) })
    #expect(heard == [3])
    token.cancel()
  }

  @Test("the first call can be skipped")
  func withoutFirstCall() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    #expect(inbox.values.isEmpty)
    store.dispatch(Increment())
    await inbox.wait { $0 == 1 }
    #expect(inbox.values == [1])
    token.cancel()
  }

  @Test("actions of another thread reach the main actor, which receives the newest state in the end")
  func otherThread() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.subscribe(onMain: { inbox.receive($0.count) })
    let worker = Worker { for _ in 0..<100 { store.dispatch(Increment()) } }
    await inbox.wait { $0 == 100 }
    worker.join()
    #expect(inbox.values.first == 0)
    #expect(zip(inbox.values, inbox.values.dropFirst()).allSatisfy { $0 < $1 })
    token.cancel()
  }

  @Test("dispatches while the main actor is busy cause one call, with the newest value")
  func newestOnly() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    onAnotherThread { for _ in 0..<50 { store.dispatch(Increment()) } }
    await inbox.wait { $0 == 50 }
    #expect(inbox.values == [50])
    token.cancel()
  }

  @Test("observers on the main actor are called in the order in which they subscribed")
  func order() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let tokens = (0..<5).map { index in store.subscribe(initial: false, onMain: { _ in inbox.receive(index) })
    }
    onAnotherThread { store.dispatch(Increment()) }
    await inbox.wait { $0 == 4 }
    #expect(inbox.values == [0, 1, 2, 3, 4])
    for token in tokens { token.cancel() }
  }

  @Test("an observer of a slice is called only when the slice has changed")
  func slice() async {
    let store = makeStore()
    let inbox = Inbox<String>()
    let states = Inbox<Int>()
    let token = store.subscribe(to: \.name, onMain: { inbox.receive($0) })
    let fence = store.subscribe(onMain: { states.receive($0.count) })
    onAnotherThread { store.dispatch(Increment()) }
    await states.wait { $0 == 1 }
    onAnotherThread { store.dispatch(Rename(name: "a")) }
    await inbox.wait { $0 == "a" }
    #expect(inbox.values == ["", "a"])
    token.cancel()
    fence.cancel()
  }

  @Test("a comparison decides what counts as a change")
  func comparison() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let states = Inbox<Int>()
    let token = store.subscribe(to: \.count, by: { $0 / 2 == $1 / 2 }, onMain: { inbox.receive($0) })
    let fence = store.subscribe(onMain: { states.receive($0.count) })
    for count in 1...3 {
      store.dispatch(Increment())
      await states.wait { $0 == count }
    }
    #expect(inbox.values == [0, 2])
    token.cancel()
    fence.cancel()
  }

  @Test("after canceling on the main actor there is no further call, even for a delivery in progress")
  func cancelling() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let fence = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    let other = store.subscribe(initial: false, onMain: { fence.receive($0.count) })
    onAnotherThread { store.dispatch(Increment()) }
    token.cancel()
    await fence.wait { $0 == 1 }
    #expect(inbox.values.isEmpty)
    other.cancel()
  }

  @Test("an observer that an earlier observer cancels is not called anymore")
  func cancellingAnother() async {
    let store = makeStore()
    let inbox = Inbox<String>()
    var victim: SubscriptionToken?
    let first = store.subscribe(initial: false, onMain: { _ in victim?.cancel() })
    victim = store.subscribe(initial: false, onMain: { _ in inbox.receive("victim") })
    let last = store.subscribe(initial: false, onMain: { _ in inbox.receive("last") })
    onAnotherThread { store.dispatch(Increment()) }
    await inbox.wait { $0 == "last" }
    #expect(inbox.values == ["last"])
    first.cancel()
    last.cancel()
  }

  @Test("an observer may cancel itself")
  func cancellingItself() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let fence = Inbox<Int>()
    var token: SubscriptionToken?
    token = store.subscribe(
      initial: false,
      onMain: { state in
        inbox.receive(state.count)
        token?.cancel()
      })
    let other = store.subscribe(initial: false, onMain: { fence.receive($0.count) })
    for count in 1...2 {
      store.dispatch(Increment())
      await fence.wait { $0 == count }
    }
    #expect(inbox.values == [1])
    other.cancel()
  }

  @Test("an observer that dispatches is not called recursively, and receives the state of its action")
  func dispatching() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    var inside = 0
    let token = store.subscribe(onMain: { state in
      inside += 1
      #expect(inside == 1)
      if state.count < 5 { store.dispatch(Increment()) }
      inside -= 1
      inbox.receive(state.count)
    })
    await inbox.wait { $0 == 5 }
    #expect(inbox.values == [0, 1, 2, 3, 4, 5])
    token.cancel()
  }

  @Test("a batch causes one call")
  func batch() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    store.batch { for _ in 0..<3 { store.dispatch(Increment()) } }
    await inbox.wait { $0 == 3 }
    #expect(inbox.values == [3])
    token.cancel()
  }

  @Test("canceling on another thread ends the calls, too")
  func cancellingElsewhere() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let fence = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    let other = store.subscribe(initial: false, onMain: { fence.receive($0.count) })
    onAnotherThread {
      store.dispatch(Increment())
      token.cancel()
    }
    await fence.wait { $0 == 1 }
    #expect(inbox.values.isEmpty)
    other.cancel()
  }

  @Test("an observer may be added inside a callback on the main actor, and starts with the present state")
  func subscribingInside() async {
    let store = makeStore()
    let inbox = Inbox<String>()
    var inner: SubscriptionToken?
    let outer = store.subscribe(
      initial: false,
      onMain: { state in
        inbox.receive("outer \(state.count)")
        if inner == nil { inner = store.subscribe(onMain: { inbox.receive("inner \($0.count)") }) }
      })
    store.dispatch(Increment())
    await inbox.wait { $0 == "inner 1" }
    store.dispatch(Increment())
    await inbox.wait { $0 == "inner 2" }
    #expect(inbox.values == ["outer 1", "inner 1", "outer 2", "inner 2"])
    inner?.cancel()
    outer.cancel()
  }
}
