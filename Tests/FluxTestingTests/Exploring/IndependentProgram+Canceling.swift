import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

// Programs in which work is canceled before its first step, between steps, or before its last step.

extension IndependentProgram {
  static let canceling = [
    catching, catchingInChild, catchingToRead, catchingToStart, catchingToCall, catchingToResume,
    canceledByEvent,
    uncancelledEnd, timeOfCanceledLimit, limitBeforeBeginning, ignoringCancellation, checkingAtEnd,
  ]

  static let observingEnds = [
    finished, isRunning, awaitedChild, awaitedFork, awaitedRequest, awaitedScope, race, unawaited,
  ]

  static let policies = [
    leading, queue, queuedRequests, latest, throttled, debounced, debouncedAndCanceled, limits, retries,
  ]

  /// A program in which a job cancels another job, whose first step is pending.
  private static func canceled(
    _ name: String, _ work: @escaping @Sendable (LoggedRun, TaskContext<RaceState>) async throws -> Void
  ) -> IndependentProgram {
    IndependentProgram(name) { logged in
      logged.start("first") { try await work(logged, $0) }
      logged.startCanceling("first")
      logged.start("other") { _ in logged.log("other") }
    }
  }

  static let catching = canceled("work that catches its cancellation") { logged, _ in
    await logged.tryCall("first")
  }

  static let catchingInChild = canceled("a child task that catches the cancellation") { logged, _ in
    async let child: Void = logged.tryCall("child")
    await child
  }

  static let catchingToRead = canceled("work that reads the state after its cancellation") { logged, _ in
    do {
      try await logged.call("first")
      logged.log("answered")
    } catch {
      let count = logged.store.state.names.count
      await Task.yield()
      logged.log("canceled \(count)")
    }
  }

  static let catchingToStart = canceled("work that starts a task after its cancellation") { logged, _ in
    do {
      try await logged.call("first")
      logged.log("answered")
    } catch {
      let scope = EffectScope()
      // The closure retains the scope, which otherwise cancels the task.
      scope.start { withExtendedLifetime(scope) { logged.log("late") } }
    }
  }

  static let catchingToCall = canceled("work that calls a service after its cancellation") { logged, _ in
    do {
      try await logged.call("first")
      logged.log("answered")
    } catch {
      try await logged.call("end", isCancellable: false)
      logged.log("ended")
    }
  }

  static let catchingToResume = IndependentProgram("work that resumes a task after its cancellation") {
    logged in
    let (values, continuation) = AsyncStream<Int>.makeStream()
    logged.start("receive") { _ in
      for await _ in values {
        logged.log("received")
        return
      }
    }
    logged.start("first") { _ in
      do {
        try await logged.call("first")
        logged.log("answered")
      } catch {
        continuation.yield(1)
      }
    }
    logged.start("cancel first") { _ in
      logged.cancel("first")
      try await logged.call("canceled")
      continuation.finish()
    }
  }

  static let canceledByEvent = IndependentProgram("work that a possible event cancels") { logged in
    logged.start("first") { _ in await logged.tryCall("first") }
    logged.start("other") { _ in logged.log("other") }
    logged.run.may("cancel") { logged.cancel("first") }
  }

  /// The last step of the work is the only step that depends on the cancellation.
  static let uncancelledEnd = IndependentProgram("work that is canceled before its last step") { logged in
    logged.start("first") { _ in
      await Task.yield()
      if Task.isCancelled { logged.log("canceled") }
    }
    logged.startCanceling("first")
    logged.start("other") { _ in logged.log("other") }
  }

  static let checkingAtEnd = IndependentProgram("work that a possible event cancels at its end") { logged in
    logged.start("first") { _ in
      // A first step with an effect does not count as independent.
      logged.log("first")
      try await logged.call("first")
      await Task.yield()
      if Task.isCancelled { logged.log("canceled") }
    }
    logged.run.may("cancel") { logged.cancel("first") }
  }

  static let timeOfCanceledLimit = IndependentProgram("the deadline of canceled work") { logged in
    logged.start("first", .every.timingOut(after: .seconds(1))) { _ in try await logged.call("first") }
    logged.run.may("cancel") {
      logged.log("cancel at \(logged.run.clock.now.offset)")
      logged.cancel("first")
    }
    await logged.run.untilQuiet()
    logged.start("time") { logged.log("\($0.time)") }
  }

  static let limitBeforeBeginning = IndependentProgram("a time limit that ends before the work") { logged in
    logged.start("first", .every.timingOut(after: .seconds(1))) { _ in
      await logged.tryCall("first")
    }
    logged.startCanceling("first")
  }

  static let ignoringCancellation = canceled("work that ignores its cancellation") { logged, _ in
    try? await logged.call("first", isCancellable: false)
    logged.log("first")
  }

  // MARK: Ends

  /// A program in which work waits for canceled work in different ways.
  private static func awaiting(
    _ name: String, _ wait: @escaping @Sendable (LoggedRun, DispatchTask) async -> Void
  ) -> IndependentProgram {
    IndependentProgram(name) { logged in
      let canceled = logged.start("canceled") { _ in try await logged.call("canceled") }
      logged.start("wait") { _ in
        try await logged.call("wait")
        logged.log("waits")
        await wait(logged, canceled)
        logged.log("done")
      }
      await logged.run.untilQuiet(holding: 2)
      logged.cancel("canceled")
      logged.start("other") { _ in
        try await logged.call("other")
        logged.log("other")
      }
    }
  }

  static let finished = awaiting("work that waits for the end of canceled work") { _, canceled in
    await canceled.finished()
  }

  static let isRunning = awaiting("work that reads whether canceled work runs") { logged, canceled in
    logged.log(canceled.isRunning ? "running" : "ended")
  }

  static let awaitedScope = IndependentProgram("work that waits for a canceled scope") { logged in
    let scope = EffectScope()
    scope.start { try? await logged.call("canceled") }
    logged.start("wait") { _ in
      try await logged.call("wait")
      logged.log("waits")
      await scope.finished()
      logged.log("done")
    }
    await logged.run.untilQuiet(holding: 2)
    scope.cancelAll()
    logged.start("other") { _ in
      try await logged.call("other")
      logged.log("other")
    }
  }

  static let unawaited = awaiting("work that waits for nothing") { _, _ in }

  static let awaitedChild = IndependentProgram("work that waits for a canceled child") { logged in
    logged.start("parent") { _ in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await logged.call("child") }
        try? await logged.call("parent")
        group.cancelAll()
        try? await logged.call("canceled")
        await group.waitForAll()
        logged.log("done")
      }
    }
    logged.start("other") { _ in
      try await logged.call("other")
      logged.log("other")
    }
  }

  static let awaitedFork = IndependentProgram("a listener that waits for a canceled task") { logged in
    logged.listeners.start(when: { action, _, _ in "\(action)" == "go" }) { _, listener in
      let fork = listener.fork { _ in try await logged.call("fork") }
      try await logged.call("cancel")
      fork.cancel()
      try await logged.call("wait")
      logged.log("waits")
      _ = try await fork.result
      logged.log("done")
    }
    logged.log("go")
    logged.start("other") { _ in
      try await logged.call("other")
      logged.log("other")
    }
  }

  private struct Ask: AsyncRequest {
    typealias State = RaceState
    let logged: LoggedRun

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      try await logged.call("ask")
      return 1
    }
  }

  static let awaitedRequest = IndependentProgram("work that waits for an aborted request") { logged in
    let request = logged.store.request(Ask(logged: logged))
    logged.start("wait") { _ in
      try await logged.call("wait")
      logged.log("\((try? await request.value) == nil ? "aborted" : "answered")")
    }
    logged.start("abort") { _ in request.abort() }
    logged.start("other") { _ in logged.log("other") }
  }

  static let race = IndependentProgram("a race between actions") { logged in
    let jobs = ["a", "b"].map { name in
      Job(name) { context in
        try await logged.call(name)
        context.dispatch(LoggedRun.entry(name))
      }
    }
    logged.store.dispatch(RaceAction(jobs))
    logged.startCanceling("a")
  }

  // MARK: Policies

  /// A program in which canceled work ends while a job sends other work in the same lane.
  private static func ending(_ name: String, _ policy: WorkPolicy) -> IndependentProgram {
    IndependentProgram(name) { logged in
      logged.start("parent", policy, kind: "line") { _ in
        logged.start("child") { _ in try await logged.call("child") }
      }
      await logged.run.untilQuiet(holding: 1)
      logged.cancel("child")
      logged.start("send") { _ in
        logged.log("sent")
        logged.store.dispatch(logged.logging("newer", policy, kind: "line"))
      }
      logged.start("other") { _ in logged.log("other") }
    }
  }

  static let leading = ending("leading work", .leading)
  static let latest = ending("latest work", .latest)

  static let queue = ending("queued work", .queue)

  private struct Next: AsyncRequest {
    typealias State = RaceState
    let logged: LoggedRun
    let number: Int
    var policy: WorkPolicy { .queue }

    func perform(in context: RequestContext<RaceState>) async throws -> Int {
      try await logged.call("request \(number)")
      return number
    }
  }

  /// A queued request that begins without waiting dispatches its first event with the action.
  static let queuedRequests = IndependentProgram(
    "a queued request after a canceled request"
  ) { logged in
    let first = logged.store.request(Next(logged: logged, number: 1))
    await logged.run.untilQuiet(holding: 1)
    first.abort()
    logged.start("send") { _ in
      logged.log("sent")
      logged.store.dispatch(Next(logged: logged, number: 2))
    }
    logged.start("other") { _ in logged.log("other") }
  }

  static let throttled = ending("throttled work", .every.throttled(every: .seconds(1)))

  static let debounced = IndependentProgram("debounced work") { logged in
    for name in ["a", "b"] {
      logged.start("send \(name)") { _ in
        logged.store.dispatch(
          logged.logging(name, .latest.debounced(for: .seconds(1)), kind: "line"))
      }
    }
  }

  static let debouncedAndCanceled = IndependentProgram("debounced work that is canceled") { logged in
    logged.store.dispatch(logged.logging("a", .latest.debounced(for: .seconds(1))))
    logged.startCanceling("a")
    logged.start("time") { context in
      try await logged.call("time")
      logged.log("\(context.time)")
    }
  }

  static let limits = IndependentProgram("work with equal time limits") { logged in
    for name in ["a", "b"] {
      logged.start(name, .every.timingOut(after: .seconds(1))) { _ in
        try await logged.call(name)
        logged.log(name)
      }
    }
  }

  static let retries = IndependentProgram("work that is repeated") { logged in
    logged.start("a", .every.retrying(.times(1, backoff: .constant(.seconds(1))))) { context in
      try await run(logged, attempt: context.attempt)
    }
    logged.startCanceling("a")
  }

  private static func run(_ logged: LoggedRun, attempt: Int) async throws {
    try await logged.call("attempt \(attempt)")
    if attempt == 1 { throw Refused() }
    logged.log("attempt \(attempt)")
  }
}
