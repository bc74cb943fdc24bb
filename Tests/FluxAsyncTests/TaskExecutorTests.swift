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
      reducer: { (count: inout HeldTally, action) in if action is HeldNote { count.notes += 1 } },
      plugins: [Plugin(onStoreStart: { $0.scope.use(Timeline(ManualClock(), executor: executor)) })],
      state: HeldTally())
    store.dispatch(HeldTask())
    store.dispatch(HeldRequest())
    store.dispatch(
      ActionPlan<HeldTally> { store in
        await Task.yield()
        store.dispatch(HeldNote())
      })
    store.effects.start { [proxy = store.proxy] in proxy.dispatch(HeldNote()) }
    #expect(store.state.notes == 0)
    #expect(store.effects.count == 4)
    #expect(executor.count == 4)
    executor.drain()
    #expect(store.state.notes == 4)
    #expect(store.effects.count == 0)
  }
}

private struct HeldTally: FluxState { var notes = 0 }
private struct HeldNote: Action {}

private struct HeldTask: TaskAction {
  func execute(state: HeldTally, dispatch: @escaping DispatchFunction) async throws { dispatch(HeldNote()) }
}

private struct HeldRequest: AsyncRequest {
  func perform(in context: RequestContext<HeldTally>) async throws { context.dispatch(HeldNote()) }
}

/// An executor that runs its jobs only when it is drained, on the calling thread.
private final class QueueingExecutor: StepExecutor {
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
