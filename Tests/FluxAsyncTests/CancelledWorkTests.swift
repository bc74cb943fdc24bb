import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Work that is canceled", .unlessItHangs)
struct CancelledWorkTests: AskingSuite {
  private let service = Service()
  private let stubborn = Service(heedsCancellation: false)
  let clock = ManualClock()
  private let doorkeeper = Doorkeeper()

  @Test("work that is canceled together is rejected as aborted, in any order")
  func abortedTogether() async {
    let store = makeStore(doorkeeper.holding { ($0 as? Asking.Rejected)?.request.name == "a" })
    let work = store.dispatchAsync(
      ActionPlan<Shelf> { [service] store in
        store.dispatch(Asking(name: "a", service: service))
        store.dispatch(Asking(name: "b", service: service))
        store.dispatch(Asking(name: "c", service: service, fallback: "c"))
      })
    await service.calls.count(atLeast: 3)
    let cancelling = Worker { work.cancel() }
    await doorkeeper.inside.count(atLeast: 1)
    await othersRun()
    doorkeeper.door.open()
    cancelling.join()
    await work.finished()
    #expect(store.state.failures == ["aborted", "aborted", "aborted"])
    #expect(!store.state.texts.contains("fulfilled c"))
  }

  @Test("a canceled dispatch does not block its lane while only work that its work started remains")
  func cancelledRest() async {
    let store = makeStore()
    let begun = EventLog<Int>()
    let stubborn = stubborn
    let first = store.dispatchAsync(
      Doing(policy: .leading) { dispatch in
        dispatch(Fetch("nested", from: stubborn))
        begun.record(1)
      })
    await stubborn.calls.count(atLeast: 1)
    await begun.count(atLeast: 1)
    await othersRun()
    first.cancel()
    let second = store.dispatchAsync(Doing(policy: .leading) { _ in begun.record(2) })
    await second.finished()
    #expect(begun.values == [1, 2])
    stubborn.answer("nested")
    await first.finished()
  }

  @Test("the work of a canceled dispatch has finished when the end of its requests has been delivered")
  func finishedBeforeTold() async {
    let store = makeStore(doorkeeper.holding { $0 is Asking.Rejected })
    let work = store.dispatchAsync(Asking(name: "a", service: stubborn))
    await stubborn.calls.count(atLeast: 1)
    let cancelling = Worker { work.cancel() }
    await doorkeeper.inside.count(atLeast: 1)
    stubborn.answer("a")
    let seen = EventLog<[String]>()
    let waiting = Task {
      await work.finished()
      seen.record(store.state.texts)
    }
    await othersRun()
    doorkeeper.door.open()
    cancelling.join()
    await waiting.value
    #expect(seen.values == [["pending a", "rejected a"]])
  }

  @Test("a plan or callback that begins after its dispatch was canceled does nothing")
  func heldAndCancelled() async {
    let store = makeStore(debounceActions(of: ActionPlan<Shelf>.self, for: .seconds(1), clock: clock))
    let work = store.dispatchAsync(
      ActionPlan<Shelf> { store in store.dispatch(Arrived(text: "cancelled")) })
    store.dispatch(Note(number: 0))
    await clock.sleepers(atLeast: 1)
    work.cancel()
    clock.advance(by: .seconds(1))
    await othersRun()
    #expect(store.state.texts == ["0"])
  }

  @Test("plans without a key are canceled by their type")
  func cancelPlans() async {
    let store = makeStore()
    let work = store.dispatchAsync(
      ActionPlan<Shelf> { [service] _ in _ = try await service.call("plan") })
    await service.calls.count(atLeast: 1)
    store.dispatch(CancelWork(of: ActionPlan<Shelf>.self))
    await othersRun()
    #expect(service.cancelled.values == ["plan"])
    work.cancel()
  }

  @Test("a chain of work with different ids releases the finished work")
  func chainIsKept() async {
    let store = makeStore()
    let tracker = LifetimeTracker()
    let service = service
    @Sendable func link(_ number: Int) -> Doing {
      let kept = tracker.make()
      return Doing(policy: .every.keyed(by: number)) { dispatch in
        kept.touch()
        if number < 100 { dispatch(link(number + 1)) } else { _ = try await service.call("last") }
      }
    }
    let work = store.dispatchAsync(link(1))
    await service.calls.count(atLeast: 1)
    for _ in 1...100 where tracker.alive >= 10 { await othersRun() }
    #expect(tracker.alive < 10)
    service.answer("last")
    await work.finished()
  }

  @Test("a composite is active from the dispatch of its first action")
  func betweenBeginAndLaunch() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    let work = store.dispatchAsync(CallingBack(later: later))
    let calls = Shared(0)
    let (inside, door) = (doorkeeper.inside, doorkeeper.door)
    let token = store.subscribe(initial: false) { _ in
      // The first one is for the fetch, and the second for the composite itself.
      guard calls.increment() == 2 else { return }
      inside.record(true)
      door.wait()
    }
    let (service, dispatch) = (service, later.values[0])
    let sending = Worker { dispatch(Fetch("a", from: service) + Note(number: 2)) }
    await doorkeeper.inside.count(atLeast: 1)
    #expect(work.isRunning)
    let over = EventLog<Bool>()
    let waiting = Task {
      await work.finished()
      over.record(true)
    }
    service.answer("a")
    await othersRun()
    #expect(over.values == [])
    doorkeeper.door.open()
    sending.join()
    await waiting.value
    token.cancel()
  }
}
