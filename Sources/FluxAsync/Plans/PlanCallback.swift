import FluxCore

/// One attempt of a plan that ends when a callback is called.
final class PlanCallback<State: Sendable>: Sendable {
  typealias Body =
    @Sendable (_ store: StoreProxy<State>, _ completed: @escaping @Sendable () -> Void) -> SubscriptionToken?

  private let completed = OneShot<Void>()
  private let token: SubscriptionToken?
  private let attempt: Attempt

  /// Creates the attempt, and runs the body of the plan.
  init(_ body: Body, _ store: StoreProxy<State>, _ attempt: Attempt) {
    let completed = completed
    token = body(store) { completed.fire(()) }
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
