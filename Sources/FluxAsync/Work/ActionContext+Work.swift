import FluxCore

extension ActionContext {
  /// Prepares the work of an action according to the policy of the action.
  ///
  /// The method records when the action arrives, so that pieces of work are in the order in which
  /// their actions arrived. The returned closure performs all operations that can dispatch
  /// actions: it cancels replaced work, performs the first step, and starts the task.
  ///
  /// - Parameters:
  ///   - own: The policy of the action, used unless a plug-in sets a policy for the action.
  ///   - origin: A string that distinguishes work without a key from other work of the same
  ///     type.
  ///   - steps: The steps of the work.
  /// - Returns: A closure that starts the work, or `nil` if the scope of the work has ended.
  ///   The caller calls the closure after the action is reduced.
  func start(
    _ action: any Action, policy own: WorkPolicy, knownBy origin: String? = nil, _ steps: some WorkSteps
  ) -> (() -> Void)? {
    let settings = settings
    let policy = settings.policy(for: action) ?? own
    let id = WorkID(of: type(of: action), key: policy.key ?? origin.map { WorkKey($0) })
    let now = policy.rules.pace == .immediate ? .zero : settings.timeline.now
    let arrival = effects.arrive(id, policy.rules, hasFirstStep: steps.hasFirstStep, at: now) { scope, step in
      Work(action, in: self, policy, settings, steps, scope: scope, first: step)
    }
    guard let work = arrival.work else {
      guard !arrival.isRefused else {
        steps.neverBegins(isDropped: false)
        return nil
      }
      return {
        arrival.errands.perform()
        steps.neverBegins(isDropped: true)
      }
    }
    steps.arrived(as: work)
    guard policy.rules.overlap == .leading else {
      let errands = arrival.errands
      guard !errands.isEmpty else { return { work.start(isWanted: nil) } }
      return {
        errands.perform()
        work.start(isWanted: nil)
      }
    }
    // The state before the action determines whether the work is wanted, unless earlier work is
    // still dispatching its result.
    let isWanted = arrival.step == .runs && !arrival.isFollowing ? steps.isStillWanted : nil
    return {
      arrival.errands.perform()
      work.start(isWanted: isWanted)
    }
  }
}
