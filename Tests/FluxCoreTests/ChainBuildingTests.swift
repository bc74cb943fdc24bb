import FluxCore
import Foundation
import TestSupport
import Testing

@Suite("Actions that other threads dispatch while the chain is being built", .unlessItHangs)
struct ChainBuildingTests {
  @Test("The actions of one thread are reduced in the order in which the thread dispatches them")
  func oneThread() {
    let worker = Shared<Worker?>(nil)
    let (isHeld, isSending) = (Gate(), Gate())
    let hasReturned = Shared(false)
    let eager: Middleware<Counter> = { dispatch, _ in
      worker.value = Worker {
        dispatch(Append(element: 0))
        isHeld.open()
        isSending.wait()
        dispatch(Append(element: 1))
        hasReturned.value = true
      }
      isHeld.wait()
      return { next in
        { action in
          if (action as? Append)?.element == 0 {
            isSending.open()
            // Gives the worker time for an overtaking dispatch, which must not happen.
            for _ in 0..<100_000 where !hasReturned.value { sched_yield() }
          }
          next(action)
        }
      }
    }
    let store = makeStore(middleware: [eager])
    worker.value?.join()
    #expect(store.state.log == [0, 1])
  }

  @Test("The store is made while a thread continues to dispatch")
  func endlessThread() {
    let isMade = Shared(false)
    let worker = Shared<Worker?>(nil)
    let hasDispatched = Gate()
    let endless: Middleware<Counter> = { dispatch, _ in
      worker.value = Worker {
        dispatch(Increment())
        hasDispatched.open()
        while !isMade.value { dispatch(Increment()) }
      }
      hasDispatched.wait()
      return { next in next }
    }
    let store = makeStore(middleware: [endless])
    isMade.value = true
    worker.value?.join()
    #expect(store.state.count > 0)
  }
}
