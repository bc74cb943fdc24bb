import FluxCore
import TestSupport
import Testing

@MainActor
@Suite struct MainActorLifetimeTests {
  @Test("an owner need not be Sendable, is not kept alive, and ends its subscription when it is released")
  func owner() async {
    final class View { var heard: [Int] = [] }
    let store = makeStore()
    let tracker = LifetimeTracker()
    let fence = Inbox<Int>()
    var view: View? = View()
    let released = WeakReference(view)
    do {
      let captured = tracker.make()
      if let view {
        store.subscribe(
          owner: view,
          onMain: { view, state in
            captured.touch()
            view.heard.append(state.count)
          })
      }
    }
    let token = store.subscribe(initial: false, onMain: { fence.receive($0.count) })
    store.dispatch(Increment())
    await fence.wait { $0 == 1 }
    #expect(view?.heard == [0, 1])
    view = nil
    #expect(released.object == nil)
    store.dispatch(Increment())
    await fence.wait { $0 == 2 }
    #expect(tracker.alive == 0)
    token.cancel()
  }

  @Test("an owner is called only when its slice has changed")
  func ownerSlice() async {
    final class View { var heard: [String] = [] }
    let store = makeStore()
    let view = View()
    let fence = Inbox<Int>()
    store.subscribe(owner: view, to: \.name, onMain: { view, name in view.heard.append(name) })
    let token = store.subscribe(to: \.count, initial: false, onMain: { fence.receive($0) })
    store.dispatch(Rename(name: "a"))
    store.dispatch(Increment())
    await fence.wait { $0 == 1 }
    #expect(view.heard == ["", "a"])
    token.cancel()
  }

  @Test("a released store releases its observers on the main actor while their tokens are kept")
  func released() {
    let tracker = LifetimeTracker()
    var store: Store<Counter>? = makeStore()
    var token: SubscriptionToken?
    do {
      let captured = tracker.make()
      token = store?.subscribe(onMain: { _ in captured.touch() })
    }
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    token?.cancel()
    token = nil
  }

  @Test("a delivery in progress when the store was released is not made")
  func releasedWithAPendingCall() async {
    let other = makeStore()
    let fence = Inbox<Int>()
    let heard = Inbox<Int>()
    let fenceToken = other.subscribe(initial: false, onMain: { fence.receive($0.count) })
    var store: Store<Counter>? = makeStore()
    let released = WeakReference(store)
    let token = store?.subscribe(initial: false, onMain: { heard.receive($0.count) })
    store?.dispatch(Increment())
    store = nil
    #expect(released.object == nil)
    other.dispatch(Increment())
    await fence.wait { $0 == 1 }
    #expect(heard.values.isEmpty)
    token?.cancel()
    fenceToken.cancel()
  }

  @Test("observers on other threads and on the main actor do not wait for each other")
  func bothKinds() async {
    let store = makeStore()
    let inbox = Inbox<Int>()
    let heard = Recorder<Int>()
    let onMain = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    let anywhere = store.subscribe(initial: false) { heard.record($0.count) }
    store.dispatch(Increment())
    #expect(heard.values == [1])
    #expect(inbox.values.isEmpty, "it comes through the mailbox")
    await inbox.wait { $0 == 1 }
    onMain.cancel()
    anywhere.cancel()
  }

  @Test("a transition is delivered before observers on the main actor receive its version")
  func transitionsFirst() async {
    let other = makeStore()
    let fence = Inbox<Int>()
    let fenceToken = other.subscribe(initial: false, onMain: { fence.receive($0.count) })
    let entered = Gate()
    let leave = Gate()
    let audit = Plugin<Counter>(
      onTransition: .actions { _, _ in
        entered.open()
        leave.wait()
      })
    let store = makeStore(plugins: [audit])
    let inbox = Inbox<Int>()
    let token = store.subscribe(initial: false, onMain: { inbox.receive($0.count) })
    let worker = Worker { store.dispatch(Increment()) }
    wait(at: entered)
    // Everything that the first store has sent to the main actor precedes this.
    other.dispatch(Increment())
    await fence.wait { $0 == 1 }
    #expect(inbox.values.isEmpty, "the transition observer has not returned")
    #expect(store.context.deliverOnMain(), "who asks is told what they wait for")
    #expect(inbox.values.isEmpty)
    leave.open()
    worker.join()
    await inbox.wait { $0 == 1 }
    #expect(!store.context.deliverOnMain())
    token.cancel()
    fenceToken.cancel()
  }

  @Test(
    "a delivery on the main actor reports whether a batch delays it, except inside an observer")
  func heldBack() {
    let store = makeStore()
    var answers: [Bool] = []
    let token = store.subscribe(onMain: { state in
      if state.count == 1 {
        store.dispatch(Increment())
        answers.append(store.context.deliverOnMain())
      }
    })
    store.batch {
      store.dispatch(Increment())
      answers.append(store.context.deliverOnMain())
    }
    answers.append(store.context.deliverOnMain())
    #expect(answers == [true, false, false])
    token.cancel()
  }

  /// Blocks the main actor until the gate is open.
  private func wait(at gate: Gate) {
    gate.wait()
  }
}
