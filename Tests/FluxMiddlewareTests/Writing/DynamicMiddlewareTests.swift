import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@Suite("Dynamic middleware")
struct DynamicMiddlewareTests {
  private let dynamic = DynamicMiddleware<Tally>()
  private let heard = Recorder<String>()

  @Test("without added middleware every action passes")
  func empty() {
    let store = makeStore(dynamic.middleware)
    store.dispatch(Add())
    #expect(store.state.sum == 1)
  }

  @Test("added middleware is in the chain from the next action on, in the order of addition")
  func adding() {
    let store = makeStore(noting("front", in: heard), dynamic.middleware, noting("back", in: heard))
    dynamic.add(noting("a", in: heard))
    dynamic.add(noting("b", in: heard))
    store.dispatch(Add())
    #expect(
      heard.values == [
        "front Add", "a Add", "b Add", "back Add", "back back", "b back", "a back", "front back",
      ])
    #expect(store.state.sum == 1)
  }

  @Test("middleware that was added before the store was made is in the chain from the first action on")
  func addedBefore() {
    dynamic.add(noting("a", in: heard))
    let store = makeStore(dynamic.middleware)
    store.dispatch(Add())
    #expect(heard.values == ["a Add", "a back"])
  }

  @Test("removed middleware is no longer in the chain, and the rest keeps its order")
  func removing() {
    let store = makeStore(dynamic.middleware)
    let ids = ["a", "b", "c"].map { dynamic.add(noting($0, in: heard)) }
    dynamic.remove(ids[1])
    dynamic.remove(ids[1])
    store.dispatch(Add())
    #expect(heard.takeAll() == ["a Add", "c Add", "c back", "a back"])
    dynamic.removeAll()
    store.dispatch(Add())
    #expect(heard.values.isEmpty)
    #expect(store.state.sum == 2)
  }

  @Test("an action in progress continues through the chain as it was, even by a late call of next")
  func underWay() {
    let late = Recorder<@Sendable () -> Void>()
    let store = makeStore(dynamic.middleware)
    let holding = dynamic.add(interceptActions { _, action, next in late.record { next(action) } })
    let behind = dynamic.add(noting("behind", in: heard))
    store.dispatch(Add())
    dynamic.remove(behind)
    dynamic.remove(holding)
    dynamic.add(noting("new", in: heard))
    for call in late.values { call() }
    #expect(heard.takeAll() == ["behind Add", "behind back"])
    store.dispatch(Add())
    #expect(heard.values == ["new Add", "new back"])
    #expect(store.state.sum == 2)
  }

  @Test("a middleware can add and remove middleware, including itself, while an action passes through it")
  func fromInside() {
    let store = makeStore(dynamic.middleware)
    let id = Shared<DynamicMiddleware<Tally>.ID?>(nil)
    id.value = dynamic.add(
      interceptActions { [dynamic, heard] _, action, next in
        if let id = id.exchange(nil) { dynamic.remove(id) }
        dynamic.add(noting("new", in: heard))
        next(action)
      })
    store.dispatch(Add())
    #expect(heard.takeAll().isEmpty)
    store.dispatch(Add())
    #expect(heard.values == ["new Add", "new back"])
  }

  @Test("an added middleware reads the state and dispatches through the whole chain")
  func context() {
    let store = makeStore(noting("front", in: heard), dynamic.middleware)
    dynamic.add(
      observeActions(of: Note.self) { store, _ in
        store.dispatch(Add(amount: (store.state?.log.count ?? 0) * 5))
      })
    store.dispatch(Note(text: "n"))
    #expect(heard.values == ["front Note", "front Add", "front back", "front back"])
    #expect(store.state.sum == 5)
  }

  @Test("the outer closure of a middleware runs once for each position, whatever else is added")
  func outerClosure() {
    let made = Shared(0)
    let counting: Middleware<Tally> = { _, _ in
      made.increment()
      return { next in next }
    }
    let stores = [makeStore(dynamic.middleware), makeStore(dynamic.middleware, dynamic.middleware)]
    dynamic.add(counting)
    dynamic.add(noting("a", in: heard))
    #expect(made.value == 3)
    stores[1].dispatch(Add())
    #expect(heard.values.count == 4)
  }

  @Test("one dynamic middleware can serve several stores, each with its own state")
  func severalStores() {
    let stores = [makeStore(dynamic.middleware), makeStore(dynamic.middleware, state: Tally(sum: 10))]
    dynamic.add(observeActions { [heard] store, _ in heard.record("\(store.state?.sum ?? -1)") })
    for store in stores { store.dispatch(Add()) }
    #expect(heard.values == ["1", "11"])
  }

  @Test("removed middleware is released, together with its links for a released store")
  func lifetime() {
    let tracker = LifetimeTracker()
    func tracked(_ object: LifetimeTracker.Tracked, _ link: LifetimeTracker.Tracked) -> Middleware<Tally> {
      { _, _ in
        object.touch()
        return { next in
          { action in
            link.touch()
            next(action)
          }
        }
      }
    }
    var store: Store<Tally>? = makeStore(dynamic.middleware)
    let id = dynamic.add(tracked(tracker.make(), tracker.make()))
    store?.dispatch(Add())
    #expect(tracker.alive == 2)
    dynamic.remove(id)
    #expect(tracker.alive == 0)

    let made = LifetimeTracker()
    dynamic.add { _, _ in
      let own = made.make()
      return { next in
        { action in
          own.touch()
          next(action)
        }
      }
    }
    #expect(made.alive == 1)
    store = nil
    #expect(made.alive == 0)
  }

  @Test("when threads add, remove, and dispatch, no action is lost, and each passes through a complete chain")
  func threads() {
    let (entered, left) = (Shared(0), Shared(0))
    let store = makeStore(dynamic.middleware)
    onThreads(4) { [dynamic] index in
      for _ in 0..<200 {
        if index < 2 {
          store.dispatch(Add())
        } else {
          // A pair of links: an action that passes the first one also passes the second one.
          let pair = combine(
            observeActions { (_: MiddlewareContext<Tally>, _) in entered.increment() },
            observeActions { (_: MiddlewareContext<Tally>, _) in left.increment() })
          dynamic.remove(dynamic.add(pair))
        }
      }
    }
    #expect(store.state.sum == 400)
    #expect(entered.value == left.value)
  }
}
