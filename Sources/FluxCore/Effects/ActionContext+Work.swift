extension ActionContext {
  /// Prepares the work of an action.
  ///
  /// The method records when the action arrives, so that pieces of work are in the order in which
  /// their actions arrived. The returned closure performs all operations that can dispatch
  /// actions: it cancels replaced work, performs the first step, and starts the task.
  ///
  /// - Parameters:
  ///   - steps: The steps of the work.
  ///   - id: The identity of the work.
  ///   - rules: The rules that determine whether and when the work begins.
  /// - Returns: A closure that starts the work, or `nil` if the scope of the work has ended.
  ///   The caller calls the closure after the action is reduced.
  package func start(_ steps: any WorkSteps, _ id: WorkID, _ rules: WorkRules) -> WorkStart? {
    let outer = effects
    let now = rules.pace == .immediate ? .zero : outer.timeline.now
    // These policies depend on the ends of earlier work.
    if rules.overlap == .leading || rules.overlap == .queue { observesEnds() }
    var errands = Errands()
    let arrival = outer.arrive(id, rules, steps, in: self, at: now, &errands)
    guard let work = arrival.work else {
      guard !arrival.isRefused else {
        steps.neverBegins(isDropped: false)
        return nil
      }
      return { _ in
        errands.perform()
        steps.neverBegins(isDropped: true)
      }
    }
    // The state before the action determines whether leading work is wanted, unless earlier work is
    // still dispatching its result. All other work was wanted when it arrived.
    let isLeading = rules.overlap == .leading
    let wasWanted =
      isLeading && (arrival.step != .runs || arrival.isFollowing) ? nil : !isLeading || steps.isStillWanted
    steps.arrived(as: work)
    // A closure that captures only the work allocates no memory.
    if errands.isEmpty, wasWanted == true { return { _ in work.start(wasWanted: true) } }
    return { _ in
      errands.perform()
      work.start(wasWanted: wasWanted)
    }
  }
}
