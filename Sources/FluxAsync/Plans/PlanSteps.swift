import FluxCore

/// The steps of a plan with an asynchronous closure.
struct PlanSteps<State: Sendable>: WorkSteps {
  let plan: ActionPlan<State>
  let body: @Sendable (StoreProxy<State>) async throws -> Void

  func run(_ work: Work) async throws {
    try await work.attempt { [plan, body] attempt in
      if let store = try plan.store(in: work.context, dispatch: { attempt.dispatch($0) }) {
        try await body(store)
      }
    }
  }
}

/// The steps of a plan that ends when a callback is called.
final class CallbackSteps<State: Sendable>: WorkSteps {
  private let plan: ActionPlan<State>
  private let body: PlanCallback<State>.Body
  /// A Boolean value that indicates whether the body runs before the plan's task starts.
  private let runsAtOnce: Bool
  private let begun = Locked<PlanCallback<State>?>(nil)

  init(_ plan: ActionPlan<State>, _ body: @escaping PlanCallback<State>.Body, runsAtOnce: Bool) {
    self.plan = plan
    self.body = body
    self.runsAtOnce = runsAtOnce
  }

  var hasFirstStep: Bool { runsAtOnce }

  func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    let attempt = Attempt(1, of: work, after: nil)
    // If the store's state has another type, the task throws the error.
    guard let store = try? plan.store(in: work.context, dispatch: { attempt.dispatch($0) }) else {
      return .continues
    }
    let callback = EffectScope.$current.withValue(attempt.scope) { PlanCallback(body, store, attempt) }
    if callback.isOver, work.scope.count == 0 {
      callback.end()
      return .ends
    }
    _ = begun.exchange(callback)
    return .continues
  }

  func run(_ work: Work) async throws {
    try await work.attempt { [self] attempt in
      if let callback = begun.exchange(nil) { return await callback.wait() }
      if let store = try plan.store(in: work.context, dispatch: { attempt.dispatch($0) }) {
        await PlanCallback(body, store, attempt).wait()
      }
    }
  }

  func ended() {
    // The work can be canceled before its task begins to wait for the callback.
    begun.exchange(nil)?.end()
  }
}
