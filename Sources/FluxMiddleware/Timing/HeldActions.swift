import FluxCore

/// The rules by which actions of one type are held, as a pure state machine that receives
/// events.
protocol HoldingRules<Held>: Sendable {
  associatedtype Held: Action

  /// Receives an action.
  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held>

  /// Notes that a requested wake time has come.
  mutating func woke(at now: Duration) -> HoldingStep<Held>
}

/// The steps that the rules require after an event.
struct HoldingStep<Held: Action>: Sendable {
  /// The actions to merge into one and to send now, in the order of their arrival.
  var sends: [Held] = []
  /// The time at which to call `woke(at:)`; `nil` if a task already sleeps, or none is needed.
  var wakesAt: Duration?
  /// The action that is dropped, to be released outside the lock.
  var drops: Held?
}

/// An action that is held, with the scope that was current when it arrived.
struct HeldAction<Held: Action>: Action {
  let action: Held
  let scope: EffectScope?
}

/// The actions of one type that a middleware holds by rules.
///
/// When the chain that contains the middleware is released, the held actions are dropped, like
/// actions of a late call of `next`.
final class HeldActions<Held: Action, Rules: HoldingRules>: Sendable where Rules.Held == HeldAction<Held> {
  private struct Contents: Sendable {
    var rules: Rules
    /// The actions to send, in order; each element contains the actions to merge into one.
    var outbox: [[Rules.Held]] = []
    /// The thread that sends; only one thread sends at a time, so that the order is kept.
    var sender: ThreadIdentity?

    /// Removes and returns the actions to send next; if there are none, the thread stops being
    /// the sender.
    mutating func takeNext() -> [Rules.Held]? {
      guard !outbox.isEmpty else {
        sender = nil
        return nil
      }
      return outbox.removeFirst()
    }
  }

  private let contents: Locked<Contents>
  private let timeline: Timeline
  private let merge: @Sendable (Held, Held) -> Held
  private let next = Locked<Next?>(nil)
  private let scope = EffectScope()

  init(
    _ rules: Rules, on timeline: Timeline,
    merging merge: @escaping @Sendable (Held, Held) -> Held
  ) {
    contents = Locked(Contents(rules: rules))
    self.timeline = timeline
    self.merge = merge
  }

  /// The next link, in a struct because a function in an optional would be wrapped in a thunk.
  private struct Next: Sendable {
    let send: DispatchFunction
  }

  /// Sets the link that receives the actions from now on; held actions stay held.
  func send(to next: @escaping DispatchFunction) {
    _ = self.next.exchange(Next(send: next))
  }

  func receive(_ action: Held) {
    let now = timeline.now
    let held = HeldAction(action: action, scope: .current)
    take { $0.received(held, at: now) }
  }

  private func wake(notBefore deadline: Duration) {
    let now = max(deadline, timeline.now)
    take { $0.woke(at: now) }
  }

  /// Passes an event to the rules, and performs the steps that the rules return, outside the
  /// lock.
  private func take(_ event: (inout Rules) -> HoldingStep<Rules.Held>) {
    let thread = ThreadIdentity.current
    let (step, isSender, isNested) = contents.withLock { contents in
      let step = event(&contents.rules)
      // If this thread is already sending, the event is nested in that, and its actions are sent
      // immediately, like any nested dispatch.
      let isNested = contents.sender == thread
      if !step.sends.isEmpty, !isNested { contents.outbox.append(step.sends) }
      let isSender = contents.sender == nil && !contents.outbox.isEmpty
      if isSender { contents.sender = thread }
      return (step, isSender, isNested)
    }
    if let deadline = step.wakesAt { sleep(until: deadline) }
    if isNested { send(step.sends) }
    guard isSender else { return }
    while let next = contents.withLock({ $0.takeNext() }) { send(next) }
  }

  private func sleep(until deadline: Duration) {
    scope.start { [weak self, timeline] in
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // The chain was released. Any other error of a clock must not hold an action forever.
        if error is CancellationError { return }
      }
      self?.wake(notBefore: deadline)
    }
  }

  private func send(_ actions: [Rules.Held]) {
    guard let first = actions.first, let newest = actions.last else { return }
    let next = next.withLock { $0 }
    // The action belongs to the scope of the newest action, not to the scope that is current
    // here, which is that of a task or of the dispatch that opened the window.
    EffectScope.$current.withValue(newest.scope) {
      next?.send(actions.dropFirst().reduce(first.action) { merge($0, $1.action) })
    }
  }
}

/// Returns a middleware that holds the actions of one type by rules, and passes all others on.
func holdActions<State, Held: Action, Rules: HoldingRules>(
  by rules: Rules, clock: any Clock<Duration>,
  merging merge: @escaping @Sendable (Held, Held) -> Held = { _, new in new }
) -> Middleware<State> where Rules.Held == HeldAction<Held> {
  let held = ActionType(Held.self)
  return { _, _ in
    // A dynamic middleware calls the inner closure again when it changes, so the held actions
    // are stored out here, where a change does not lose them.
    let actions = HeldActions(rules, on: Timeline(clock), merging: merge)
    return { next in
      actions.send(to: next)
      return held.branch(
        to: { action in actions.receive(action.knownToBe(Held.self)) }, otherwise: next)
    }
  }
}
