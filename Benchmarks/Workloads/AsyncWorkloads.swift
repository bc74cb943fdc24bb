import Dispatch
import FluxAsync
import FluxCore
import FluxLists
import Synchronization

/// An action whose work only dispatches `Increment`.
private struct Arrives: TaskAction {
  func execute(state: Counter, dispatch: @escaping DispatchFunction) async throws { dispatch(Increment()) }
}

private struct ArrivesLatest: TaskAction {
  var policy: WorkPolicy { .latest }
  func execute(state: Counter, dispatch: @escaping DispatchFunction) async throws { dispatch(Increment()) }
}

private struct CallsBack: AsyncAction {
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) { dispatch(Increment()) }
}

private struct LoadedRows: FluxState {
  var rows = ListState<Row>()
}

private struct Asks: AsyncRequest {
  func perform(in context: RequestContext<Counter>) async throws -> Int { 1 }
}

/// Runs asynchronous work until it ends, on a pool of threads, so counts vary by a few percent.
func waiting(_ work: @escaping @Sendable (_ times: Int) async -> Void) -> Workload.Turns {
  { times in
    let done = DispatchSemaphore(value: 0)
    Task {
      await work(times)
      done.signal()
    }
    done.wait()
  }
}

private let turns = 2_000
private let runs = 5

let asyncWorkloads: [Workload] = [
  Workload("async-callback", "an `AsyncAction` that dispatches immediately (two dispatches)") {
    let store = countingStore()
    return { times in
      for _ in 0..<times { store.dispatch(CallsBack()) }
    }
  },
  Workload("async-plan-at-once", "an `ActionPlan` that dispatches without waiting (two dispatches)") {
    let store = countingStore()
    let plan = ActionPlan<Counter> { $0.dispatch(Increment()) }
    return { times in
      for _ in 0..<times { store.dispatch(plan) }
    }
  },
  Workload("floor-async-task", "handwritten: an awaited task that dispatches", turns: turns, runs: runs) {
    let store = HandWritten(state: Counter(), reducer: chosen(plain))
    return waiting { times in
      for _ in 0..<times {
        store.dispatch(Increment())
        await Task { store.dispatch(Increment()) }.value
      }
    }
  },
  Workload(
    "floor-async-work",
    "handwritten: an awaited task with a scope, cancellation, a register, and an error path", turns: turns,
    runs: runs
  ) {
    let store = HandWrittenWork(HandWritten(state: Counter(), reducer: chosen(plain)))
    return waiting { times in
      for _ in 0..<times { await store.dispatchAndWait(Increment()) { $0(Increment()) } }
    }
  },
  Workload(
    "async-task", "a `TaskAction` that dispatches, awaited with `dispatchAsync`", floor: "floor-async-task",
    turns: turns, runs: runs
  ) {
    let store = countingStore()
    return waiting { times in
      for _ in 0..<times { await store.dispatchAsync(Arrives()).finished() }
    }
  },
  Workload(
    "async-task-latest", "a `TaskAction` with the policy `latest`", floor: "floor-async-task", turns: turns,
    runs: runs
  ) {
    let store = countingStore()
    return waiting { times in
      for _ in 0..<times { await store.dispatchAsync(ArrivesLatest()).finished() }
    }
  },
  Workload(
    "async-request", "an awaited `AsyncRequest` (three dispatches)", floor: "floor-async-task",
    turns: turns, runs: runs
  ) {
    let store = countingStore()
    return waiting { times in
      for _ in 0..<times { _ = await store.request(Asks()).result }
    }
  },
  // All tasks run at the same time. The cost of a turn must not depend on the number of tasks.
  Workload(
    "async-tasks-at-once", "one of 10,000 tasks that run at the same time", floor: "floor-async-task"
  ) {
    let store = countingStore()
    return waiting { times in
      let before = store.state.value
      let all = store.dispatchAsync(ActionPlan<Counter> { for _ in 0..<times { $0.dispatch(Arrives()) } })
      await all.finished()
      precondition(store.state.value == before + 2 * times + 1)
    }
  },
  Workload(
    "floor-page",
    "handwritten: a task that appends 20 elements to an array and a dictionary of 100,000", turns: 1_000
  ) {
    let store = HandWrittenInPlace(state: ArrayAndDictionary(100_000)) { state, _ in
      for _ in 0..<20 { state.append(row(state.rows.count)) }
    }
    return waiting { times in
      for _ in 0..<times { await Task { store.dispatch(Increment()) }.value }
    }
  },
  Workload(
    "page", "a load of a page of 20 elements into a list of 100,000", floor: "floor-page", turns: 1_000
  ) {
    let pages = ListSlice(
      "Rows", at: \LoadedRows.rows, pages: LimitOffsetPaginationStrategy(limit: 20)
    ) { position in
      // The list contains the rows below 100,000, and a page whose rows are known adds nothing.
      ListPage((0..<20).map { row(100_000 + position.offset + $0) })
    }
    let store = Store(reducer: pages.reducer, state: LoadedRows())
    let isFilled = waiting { _ in
      store.dispatch(pages.override(by: (0..<100_000).map(row)))
    }
    isFilled(1)
    return waiting { times in
      for _ in 0..<times { _ = await store.request(pages.fetchNext).result }
    }
  },
]
