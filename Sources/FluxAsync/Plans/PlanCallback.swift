public import FluxCore

/// One attempt of a plan that ends when a callback is called.
@usableFromInline
final class PlanCallback: Sendable {
  /// A closure that starts the plan, and returns the token for ending the plan early.
  ///
  /// If the store was released, the closure returns `nil`.
  @usableFromInline
  typealias Body =
    @Sendable (PlanRun, _ completed: @escaping @Sendable () -> Void) throws -> SubscriptionToken??

  private let completed = OneShot<Void>()
  private let token: SubscriptionToken?
  private let attempt: any Attempt

  /// Creates the attempt, and runs the body of the plan.
  ///
  /// The initializer returns `nil` if the store was released.
  init?(_ body: Body, _ run: PlanRun, _ attempt: any Attempt) throws {
    let completed = completed
    guard let token = try body(run, { completed.fire(()) }) else { return nil }
    self.token = token
    self.attempt = attempt
  }

  /// A Boolean value that indicates whether the callback was called.
  var isOver: Bool { completed.value != nil }

  /// Waits until the callback is called or the task is canceled, and then ends the attempt.
  func wait() async {
    await withTaskCancellationHandler {
      await completed.wait()
    } onCancel: {
      end()
      attempt.close()
      completed.fire(())
    }
    if Task.isCancelled { await attempt.stop() }
    end()
  }

  /// Cancels the token of the plan.
  func end() {
    token?.cancel()
  }
}
