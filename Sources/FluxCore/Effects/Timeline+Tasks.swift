// Every task and every timer of the package is created in this file, which `.ci/one-seam` checks.
// Child tasks of task groups run on the executor of their parent.

/// The operation of a task that performs work.
///
/// If the work was canceled before the task runs, the operation does not run code of the user.
///
/// A task that is started with a closure first runs the functions that convert the closure. A task
/// that is started with an operation of a known type calls ``run()`` directly.
@usableFromInline
package protocol TaskOperation: Sendable {
  nonisolated(nonsending) func run() async
}

/// A task that a timeline has started.
///
/// The task never throws an error. Its type permits errors, because a task that cannot throw runs
/// its operation through another function, which adds frames to the task and allocates memory.
@usableFromInline
package typealias StartedTask = Task<Void, any Error>

/// Starts a task that performs work.
///
/// The task inherits the task-local values of the caller.
///
/// - Parameters:
///   - executor: The executor of the task, or `nil` for the executor of the system.
///   - operation: The operation of the task.
@inlinable @inline(__always)
package func startTask(on executor: (any StepExecutor)?, _ operation: some TaskOperation) -> StartedTask {
  // Without an executor, a task has a closure that can be isolated to an actor. The closure is
  // converted, even if it is not isolated.
  guard let executor else { return Task(executorPreference: nil) { await operation.run() } }
  return Task(executorPreference: executor) {
    executor.workBegins()
    await operation.run()
    executor.taskEnds()
  }
}

extension Timeline {
  /// Starts a task on the executor of the timeline.
  ///
  /// The task inherits the task-local values of the caller.
  ///
  /// - Parameter priority: The priority of the task. The default is the priority of the caller.
  @inlinable @inline(__always)
  package func startTask(
    priority: TaskPriority? = nil, _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> StartedTask {
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority) {
      await operation()
      executor.taskEnds()
    }
  }

  /// Starts a task that calls a closure at a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the closure is called.
  ///   - act: A closure that receives `nil`, or the error that the clock threw. The error is a
  ///     `CancellationError` if the timer was canceled.
  package func startTimer(
    until deadline: Duration, _ act: @escaping @Sendable (_ error: (any Error)?) -> Void
  ) -> StartedTask {
    ofTimers.startTask {
      do {
        try await self.sleep(until: deadline)
      } catch {
        return act(error)
      }
      act(nil)
    }
  }
}

/// Starts a task on the main actor, with the task-local values of the caller.
@discardableResult
package func startOnMainActor(_ operation: @escaping @MainActor @Sendable () async -> Void) -> Task<
  Void, Never
> {
  Task { @MainActor in await operation() }
}

/// Starts a task on the main actor, without the task-local values and the priority of the caller.
package func startDetachedOnMainActor(_ operation: @escaping @MainActor @Sendable () -> Void) {
  Task.detached { @MainActor in operation() }
}
