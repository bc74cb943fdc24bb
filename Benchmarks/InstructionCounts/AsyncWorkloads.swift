import Dispatch
import FluxAsync
import FluxCore
import Synchronization

/// Work that does nothing but arrive.
private struct Arrives: TaskAction {
  var policy = WorkPolicy.every
  func execute(state: Counter, dispatch: @escaping DispatchFunction) async throws { dispatch(Increment()) }
}

private struct CallsBack: AsyncAction {
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) { dispatch(Increment()) }
}

private struct Asks: AsyncRequest {
  func perform(in context: RequestContext<Counter>) async throws -> Int { 1 }
}

private func counted() -> Store<Counter> { Store(reducer: chosen(plain), state: Counter()) }

/// Runs asynchronous work to its end, on a pool of threads: instruction counts then repeat to within a few in a hundred.
private func waiting(_ work: @escaping @Sendable (_ times: Int) async -> Void) -> Workload {
  { times in
    let done = DispatchSemaphore(value: 0)
    Task {
      await work(times)
      done.signal()
    }
    done.wait()
  }
}

let asyncWorkloads: [String: Workload] = [
  "async-callback": { times in
    let store = counted()
    for _ in 0..<times { store.dispatch(CallsBack()) }
    precondition(store.state.value == 2 * times)
  },
  "async-plan-at-once": { times in
    let store = counted()
    let plan = ActionPlan<Counter> { $0.dispatch(Increment()) }
    for _ in 0..<times { store.dispatch(plan) }
    precondition(store.state.value == 2 * times)
  },
  // A task by hand, for comparison: started, waited for, and its result dispatched.
  "floor-async-task": waiting { times in
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    for _ in 0..<times {
      store.dispatch(Increment())
      await Task { store.dispatch(Increment()) }.value
    }
  },
  "async-task": waiting { times in
    let store = counted()
    for _ in 0..<times { await store.dispatchAsync(Arrives()).finished() }
    precondition(store.state.value == 2 * times)
  },
  "async-task-latest": waiting { times in
    let store = counted()
    for _ in 0..<times { await store.dispatchAsync(Arrives(policy: .latest)).finished() }
    precondition(store.state.value == 2 * times)
  },
  "async-request": waiting { times in
    let store = counted()
    for _ in 0..<times { _ = await store.request(Asks()).result }
    precondition(store.state.value == 3 * times)
  },
  // All on their way at the same time: a turn must not cost more, however many there are.
  "async-tasks-at-once": waiting { times in
    let store = counted()
    let all = store.dispatchAsync(ActionPlan<Counter> { for _ in 0..<times { $0.dispatch(Arrives()) } })
    await all.finished()
    precondition(store.state.value == 2 * times + 1)
  },
]
