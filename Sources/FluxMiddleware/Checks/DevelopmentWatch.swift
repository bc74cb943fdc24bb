import FluxCore

/// The implementation of the development checks.
///
/// In the reducer, under the store's lock, the object measures the time, reduces the action a
/// second time, and records the results. When the transition is delivered, the object examines
/// the recorded results and reports problems outside the lock.
final class DevelopmentWatch<State: Sendable>: Sendable {
  /// A reduction that has not been examined yet.
  private struct Reduction: Sendable {
    let action: any Action
    let before: State?
    let after: State?
    /// The result of the second reduction, which started from `before`.
    let again: State?
    let duration: Duration
    let mayBeUnhandled: Bool
  }

  private struct Site: Hashable {
    let check: DevelopmentChecks
    let type: ObjectIdentifier
  }

  private struct Contents: Sendable {
    var ledger = DispatchLedger()
    var reductions: [Reduction] = []
    var reported: Set<Site> = []
    /// The types of the actions that are known to change the state.
    var effective: Set<ObjectIdentifier> = []
  }

  private let checks: DevelopmentChecks
  private let budgets: DevelopmentBudgets
  private let timeline: Timeline
  private let mayBeUnhandled: @Sendable (_ action: any Action, _ after: State) -> Bool
  private let redaction: Redaction
  private let report: @Sendable (DevelopmentProblem) -> Void
  private let contents = Locked(Contents())

  init(
    _ checks: DevelopmentChecks, budgets: DevelopmentBudgets, timeline: Timeline,
    mayBeUnhandled: @escaping @Sendable (_ action: any Action, _ after: State) -> Bool,
    redaction: Redaction, report: @escaping @Sendable (DevelopmentProblem) -> Void
  ) {
    self.checks = checks
    self.budgets = budgets
    self.timeline = timeline
    self.mayBeUnhandled = mayBeUnhandled
    self.redaction = redaction
    self.report = report
  }

  // MARK: - The steps of an action

  /// Passes an action on, and records the beginning and the end of its dispatch.
  func follow(_ action: any Action, _ next: DispatchFunction) {
    let thread = ThreadIdentity.current
    let type = type(of: action)
    let nested = contents.withLock { $0.ledger.began(type, on: thread) }
    if nested > budgets.nestedDispatches { tell(.storm(of: type, count: nested)) }
    ReductionByPlugin.follow { next(action) }
    let now = timeline.now
    look(at: contents.withLock { $0.ledger.returned(on: thread, at: now) })
  }

  /// Records that the innermost action on this thread has started work.
  func notesWork() {
    let thread = ThreadIdentity.current
    contents.withLock { $0.ledger.startedWork(on: thread) }
  }

  /// Reduces an action, and reduces it a second time on a copy of the state if necessary.
  ///
  /// The method runs under the store's lock.
  func reduce(_ state: inout State, _ action: any Action, by reducer: MutatingReducer<State>) {
    let type = type(of: action)
    let (isPurityKnown, isEffectKnown) = contents.withLock { contents in
      (
        contents.reported.contains(Site(check: .impureReducers, type: ObjectIdentifier(type))),
        contents.effective.contains(ObjectIdentifier(type))
          || contents.reported.contains(Site(check: .unhandledActions, type: ObjectIdentifier(type)))
      )
    }
    // During a recomputation, a history does not perform history actions, so the results of the
    // two reductions would differ.
    let looksAtPurity = checks.contains(.impureReducers) && !isPurityKnown && !(action is any PluginAction)
    let looksAtEffect = checks.contains(.unhandledActions) && !isEffectKnown
    let before = looksAtPurity || looksAtEffect ? state : nil
    let start = timeline.now
    reducer(&state, action)
    let duration = timeline.now - start
    var again = looksAtPurity ? before : nil
    // The second reduction is marked as a recomputation, so that a history after the checks does
    // not record the action twice.
    if again != nil {
      Recomputation.run {
        Recomputation.$isCheck.withValue(true) { reducer(&again!, action) }
      }
    }
    let thread = ThreadIdentity.current
    let after = before == nil ? nil : state
    contents.withLock { contents in
      let hasStartedWork = contents.ledger.hasStartedWork(type, on: thread)
      contents.reductions.append(
        Reduction(
          action: action, before: before, after: after, again: again, duration: duration,
          mayBeUnhandled: !looksAtEffect || hasStartedWork != false || ReductionByPlugin.isMade))
    }
  }

  /// Examines the recorded reductions immediately before the observers are called.
  func delivers(_ action: any Action) {
    let reductions = contents.withLock { contents in
      defer { contents.reductions = [] }
      return contents.reductions
    }
    for reduction in reductions { look(at: reduction) }
    let (thread, now) = (ThreadIdentity.current, timeline.now)
    look(at: contents.withLock { $0.ledger.passBegan(type(of: action), on: thread, at: now) })
  }

  // MARK: - Examining

  private func look(at reduction: Reduction) {
    let type = type(of: reduction.action)
    if checks.contains(.slowReducers), reduction.duration > budgets.reducer {
      tell(.slowReducer(of: type, took: reduction.duration, budget: budgets.reducer))
    }
    if let after = reduction.after, let again = reduction.again {
      let difference = StateDifference(from: after, to: again)
      // A comparison can stop early, so the reducer counts as impure only if the comparison
      // found a difference.
      if !difference.changes.isEmpty {
        let shown =
          redaction.isNone ? difference : StateDifference(from: after, to: again, redacting: redaction)
        tell(.impureReducer(of: type, shown))
      }
    }
    guard !reduction.mayBeUnhandled, let before = reduction.before, let after = reduction.after else {
      return
    }
    let difference = StateDifference(from: before, to: after)
    if !difference.changes.isEmpty {
      _ = contents.withLock { $0.effective.insert(ObjectIdentifier(type)) }
    } else if !difference.isTruncated, !mayBeUnhandled(reduction.action, after) {
      tell(.unhandled(type))
    }
  }

  private func look(at pass: DispatchLedger.Pass?) {
    guard let pass, pass.duration > budgets.observers else { return }
    tell(.slowObservers(of: pass.type, took: pass.duration, budget: budgets.observers))
  }

  /// Reports a problem if its check is enabled and the same problem has not been reported
  /// before.
  private func tell(_ problem: DevelopmentProblem) {
    guard checks.contains(problem.check) else { return }
    let site = Site(check: problem.check, type: ObjectIdentifier(problem.actionType))
    if contents.withLock({ $0.reported.insert(site).inserted }) { report(problem) }
  }
}

extension DevelopmentProblem {
  fileprivate static func storm(of type: any Action.Type, count: Int) -> DevelopmentProblem {
    DevelopmentProblem(
      .dispatchStorms, type,
      """
      \(type) is action number \(count) that was dispatched within one dispatch. An observer dispatches an \
      action each time it is called, so the first dispatch does not return. Dispatch only if the state \
      requires it, or move the change into a middleware or the reducer.
      """)
  }

  fileprivate static func slowReducer(
    of type: any Action.Type, took duration: Duration, budget: Duration
  ) -> DevelopmentProblem {
    DevelopmentProblem(
      .slowReducers, type,
      """
      Reducing \(type) took \(duration.shortText), which exceeds the budget of \(budget.shortText). No other \
      thread can dispatch or read the state during this time. Change collections in place, and move long \
      computations to an async action.
      """)
  }

  fileprivate static func slowObservers(
    of type: any Action.Type, took duration: Duration, budget: Duration
  ) -> DevelopmentProblem {
    DevelopmentProblem(
      .slowObservers, type,
      """
      The observers took \(duration.shortText) for \(type), which exceeds their total budget of \
      \(budget.shortText). The dispatch waits for the observers. Observe a part of the state that changes \
      less often, or move the work to a task.
      """)
  }

  fileprivate static func impureReducer(
    of type: any Action.Type, _ difference: StateDifference
  ) -> DevelopmentProblem {
    DevelopmentProblem(
      .impureReducers, type,
      """
      Reducing \(type) twice from the same state produced different results: \(difference). A reducer must \
      depend only on the state and the action. Create dates, identifiers, and random values before the \
      dispatch, and pass them in the action.
      """)
  }

  fileprivate static func unhandled(_ type: any Action.Type) -> DevelopmentProblem {
    DevelopmentProblem(
      .unhandledActions, type,
      """
      \(type) reached the reducer, but changed nothing and started no work. If no reducer handles the action, \
      add a handler, such as on(\(type).self), and make sure that its reducer is part of the store's reducer. \
      If the action is an AsyncAction, declare the conformance in the type's own module, without \
      conditions. If it is a StoreAction, add the plug-in .storeActions to the store. If it is a \
      HistoryAction, add the plug-in of the history that the action names. If this is intended, or only \
      listeners handle the action, pass its type in ignoring:.
      """)
  }
}
