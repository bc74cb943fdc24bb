import FluxCore

/// The steps of a plan with an asynchronous closure.
final class PlanSteps: WorkSteps {
  private let plan: PlanContents
  private let body: PlanContents.TaskBody
  private let attempts: AttemptRules?

  init(_ plan: PlanContents, _ body: @escaping PlanContents.TaskBody, _ attempts: AttemptRules?) {
    self.plan = plan
    self.body = body
    self.attempts = attempts
  }

  var action: any Action { plan.action }

  var serviceUser: ServiceUser { plan.serviceUser }

  nonisolated(nonsending) func run(_ work: Work) async throws {
    guard let attempts else { return try await perform(work) }
    try await work.attempt(attempts, of: self) { try await self.perform($0) }
  }

  private nonisolated(nonsending) func perform(_ attempt: any Attempt) async throws {
    try await body(PlanRun(plan, attempt))
  }
}

/// The steps of a plan that ends when a callback is called.
final class CallbackSteps: WorkSteps {
  private let plan: PlanContents
  private let body: PlanCallback.Body
  private let attempts: AttemptRules?
  private let begun = Locked<PlanCallback?>(nil)

  init(_ plan: PlanContents, _ body: @escaping PlanCallback.Body, _ attempts: AttemptRules?) {
    self.plan = plan
    self.body = body
    self.attempts = attempts
  }

  var action: any Action { plan.action }

  var serviceUser: ServiceUser { plan.serviceUser }

  /// A Boolean value that indicates whether the body runs before the plan's task starts.
  ///
  /// An attempt that can time out or be repeated runs in the plan's task.
  var hasFirstStep: Bool { attempts == nil }

  func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    let attempt = SeparateAttempt(1, of: work, after: nil)
    var callback: PlanCallback?
    EffectScope.withCurrent(attempt.scope) {
      // If the store's state has another type, the task throws the error.
      callback = try? PlanCallback(body, PlanRun(plan, attempt), attempt)
    }
    guard let callback else { return .continues }
    if callback.isOver, work.scope.count == 0 {
      callback.end()
      return .ends
    }
    _ = begun.exchange(callback)
    return .continues
  }

  nonisolated(nonsending) func run(_ work: Work) async throws {
    if let callback = begun.exchange(nil) { return await callback.wait() }
    guard let attempts else { return try await perform(SeparateAttempt(1, of: work, after: nil)) }
    try await work.attempt(attempts, of: self) { try await self.perform($0) }
  }

  private func perform(_ attempt: any Attempt) async throws {
    try await PlanCallback(body, PlanRun(plan, attempt), attempt)?.wait()
  }

  func ended() {
    // The work can be canceled before its task begins to wait for the callback.
    begun.exchange(nil)?.end()
  }
}
