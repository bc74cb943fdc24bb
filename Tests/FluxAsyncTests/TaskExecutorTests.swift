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

  @Test("Debounced work and delays end only when the executor of the store runs the timers")
  func holdsTimers() {
    let (executor, clock) = (QueueingExecutor(), ManualClock())
    let store = Timeline.$ofTest.withValue(Timeline(clock, executor: executor)) {
      Store(
        reducer: { (count: inout HeldTally, action) in if action is HeldNote { count.notes += 1 } },
        plugins: [.asyncWork()], state: HeldTally())
    }
    store.dispatch(DebouncedTask())
    store.dispatch(RetriedTask())
    executor.drain()
    #expect(clock.sleepers == 2)
    clock.advance(by: .seconds(2))
    #expect(executor.count == 2)
    #expect(store.state.notes == 0)
    executor.drain()
    #expect(store.state.notes == 2)
    #expect(store.effects.count == 0)
  }
}

private struct HeldTally: FluxState { var notes = 0 }
private struct HeldNote: Action {}

private struct HeldTask: TaskAction {
  func execute(state: HeldTally, dispatch: @escaping DispatchFunction) async throws { dispatch(HeldNote()) }
}

private struct DebouncedTask: TaskAction {
  var policy: WorkPolicy { .every.debounced(for: .seconds(1)) }

  func execute(state: HeldTally, dispatch: @escaping DispatchFunction) async throws { dispatch(HeldNote()) }
}

private struct RetriedTask: TaskAction {
  struct Failure: Error {}

  var policy: WorkPolicy { .every.retrying(.times(1, backoff: .constant(.seconds(1)))) }

  func execute(in context: TaskContext<HeldTally>) async throws {
    guard context.attempt > 1 else { throw Failure() }
    context.dispatch(HeldNote())
  }
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
