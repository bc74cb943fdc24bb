import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Work that replaces other work", .unlessItHangs)
struct ReplacedWorkTests: AskingSuite {
  private let service = Service()
  private let stubborn = Service(heedsCancellation: false)
  let clock = ManualClock()
  private let doorkeeper = Doorkeeper()

  @Test(
    "latest: while a thread delivers the older pending action, the newer is not pending on another thread")
  func pendingElsewhere() async {
    let store = makeStore(doorkeeper.holding { ($0 as? Asking.Pending)?.request.name == "old" })
    let telling = Worker { [service] in store.dispatch(Asking(name: "old", service: service, policy: .latest))
    }
    await doorkeeper.inside.count(atLeast: 1)
    let new = store.request(Asking(name: "new", service: service, policy: .latest))
    doorkeeper.door.open()
    telling.join()
    service.answer("new")
    _ = await new.result
    #expect(store.state.texts == ["pending old", "rejected old", "pending new", "fulfilled new"])
  }

  @Test(
    "latest: the older request is rejected before a newer one, requested by its observer, is pending"
  )
  func newerFromObserver() async {
    let store = makeStore()
    let service = service
    let isFirst = Shared(true)
    let token = store.subscribe(initial: false) { shelf in
      guard shelf.texts == ["pending old"], isFirst.exchange(false) else { return }
      store.dispatch(Asking(name: "new", service: service, policy: .latest))
    }
    service.answer("new")
    await store.dispatchAsync(Asking(name: "old", service: service, policy: .latest)).finished()
    #expect(store.state.texts == ["pending old", "rejected old", "pending new", "fulfilled new"])
    token.cancel()
  }

  @Test("latest: a failure of older work that is being delivered is reduced before the newer work begins")
  func failureInFlight() async {
    let (seen, newer) = (EventLog<Int>(), Shared<DispatchTask?>(nil))
    let target = Shared<StoreProxy<Shelf>?>(nil)
    let asking: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if action is WorkFailed, let store = target.value {
            // From another thread, while this thread has not passed the action on.
            Worker {
              newer.value = store.dispatchAsync(
                Doing(policy: .latest) { _ in seen.record(store.state?.failures.count ?? -1) })
            }.join()
          }
          next(action)
        }
      }
    }
    let store = makeStore(asking)
    target.value = store.proxy
    await store.dispatchAsync(Doing(policy: .latest) { _ in throw Service.Trouble() }).finished()
    await newer.value?.finished()
    #expect(seen.values == [1])
  }

  @Test(
    "an older request is rejected before a newer one is pending, even if both are delivered on one thread")
  func cancelledTogether() async {
    let service = service
    let onRejected: Middleware<Shelf> = { dispatch, _ in
      { next in
        { action in
          next(action)
          if (action as? Asking.Rejected)?.request.name == "a" {
            dispatch(Asking(name: "new", service: service, policy: .latest))
          }
        }
      }
    }
    let store = makeStore(onRejected)
    store.dispatch(Asking(name: "a", service: service, policy: .every.keyed(by: "a")))
    store.dispatch(Asking(name: "old", service: stubborn, policy: .latest))
    await service.calls.count(atLeast: 1)
    await stubborn.calls.count(atLeast: 1)
    store.dispatch(CancelWork.all())
    stubborn.answer("old")
    #expect(
      store.state.texts
        == ["pending a", "pending old", "rejected a", "rejected old", "pending new"])
  }

  @Test("canceled work that waits for the last dispatch of older work never begins")
  func cancelledWhileFollowing() async {
    let store = makeStore(doorkeeper.holding { ($0 as? Arrived)?.text == "old" })
    let begun = EventLog<Bool>()
    let old = store.dispatchAsync(Doing(policy: .latest) { await slowly("old", $0) })
    await doorkeeper.inside.count(atLeast: 1)
    let new = store.dispatchAsync(Doing(policy: .latest) { _ in begun.record(true) })
    await othersRun()
    new.cancel()
    store.dispatch(CancelWork(of: Doing.self))
    doorkeeper.door.open()
    await old.finished()
    await new.finished()
    #expect(begun.values == [])
  }
}
