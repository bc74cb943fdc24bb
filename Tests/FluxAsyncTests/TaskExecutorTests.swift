import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("The executor of work", .unlessItHangs)
struct TaskExecutorTests {
  @Test("Tasks, requests, plans, and timers of a store run only when the executor of the store runs them")
  func holdsEachStep() async {
    let executor = QueueingExecutor()
    let store = Store(
      reducer: { (count: inout Tally, action) in if action is Note { count.notes += 1 } },
      plugins: [Plugin(onStoreStart: { $0.scope.use(Timeline(ManualClock(), executor: executor)) })],
      state: Tally())
    store.dispatch(Noting())
    store.dispatch(Asking())
    store.dispatch(
      ActionPlan<Tally> { store in
        await Task.yield()
        store.dispatch(Note())
      })
    store.effects.start { [proxy = store.proxy] in proxy.dispatch(Note()) }
    #expect(store.state.notes == 0)
    #expect(store.effects.count == 4)
    #expect(executor.count == 4)
    executor.drain()
    #expect(store.state.notes == 4)
    #expect(store.effects.count == 0)
  }
}

private struct Tally: FluxState { var notes = 0 }
private struct Note: Action {}

private struct Noting: TaskAction {
  func execute(state: Tally, dispatch: @escaping DispatchFunction) async throws { dispatch(Note()) }
}

private struct Asking: AsyncRequest {
  func perform(in context: RequestContext<Tally>) async throws { context.dispatch(Note()) }
}

/// An executor that runs its jobs only when it is drained, on the calling thread.
private final class QueueingExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  var count: Int { jobs.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
