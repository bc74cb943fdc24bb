import FluxCore

/// A pure state machine that determines when actions of one type are held and when they are
/// sent.
protocol HoldingRules<Held>: Sendable {
  associatedtype Held: Action

  /// Determines what to do with an action that has arrived.
  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held>

  /// Determines what to do at the time that ``HoldingStep/wakesAt`` specified.
  mutating func woke(at now: Duration) -> HoldingStep<Held>
}

/// The operations that the rules require after an event.
struct HoldingStep<Held: Action>: Sendable {
  /// The actions to merge into one action that is sent immediately, in the order in which they
  /// arrived.
  var sends: [Held] = []
  /// The time at which to call `woke(at:)`, or `nil` if a task is already sleeping or no call is
  /// required.
  var wakesAt: Duration?
  /// The dropped action, which must be released outside the lock.
  var drops: Held?
}

/// An action that a middleware holds, with the scope that was current when the action arrived, and
/// the sender of the action.
struct HeldAction<Held: Action>: Action {
  let action: Held
  let scope: EffectScope?
  let sender: DispatchSender?
}

/// The actions of one type that a middleware holds according to a set of rules.
///
/// When the chain that contains the middleware is released, the held actions are dropped. If a
/// middleware calls its `next` function after the chain is released, the passed action is also
/// dropped.
final class HeldActions<Held: Action, Rules: HoldingRules>: Sendable where Rules.Held == HeldAction<Held> {
  private struct Contents: Sendable {
    var rules: Rules
    /// The actions to send, beginning with the action to send next.
    ///
    /// Each element is a list of actions that are merged into one action.
    var outbox: [[Rules.Held]] = []
    /// The thread that is sending actions.
    ///
    /// To preserve the order of the actions, only one thread sends at a time.
    var sender: ThreadIdentity?

    /// Removes and returns the actions to send next.
    ///
    /// If there are no actions to send, the method also clears ``sender``.
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

  /// The next link of the chain.
  ///
  /// The function is stored in a structure, because storing it directly in an optional would add
  /// a reabstraction thunk.
  private struct Next: Sendable {
    let send: DispatchFunction
  }

  /// Sets the function that receives all actions from now on, including the actions that are
  /// already held.
  func send(to next: @escaping DispatchFunction) {
    _ = self.next.exchange(Next(send: next))
  }

  func receive(_ action: Held) {
    let now = timeline.now
    let held = HeldAction(action: action, scope: .current, sender: .ofChain)
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
      // If this thread is already sending actions, the event is nested in a call of `next`. The
      // actions of a nested event are sent immediately, like the actions of any nested dispatch.
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
        // A cancellation means that the chain was released. If a clock throws an error that is
        // not a cancellation, the action must still be sent.
        if error is CancellationError { return }
      }
      self?.wake(notBefore: deadline)
    }
  }

  private func send(_ actions: [Rules.Held]) {
    guard let first = actions.first, let newest = actions.last else { return }
    let next = next.withLock { $0 }
    let merged = actions.dropFirst().reduce(first.action) { merge($0, $1.action) }
    // The merged action is sent in the scope of the newest action. Otherwise, the current
    // scope would be the scope of a task, or the scope of the dispatch that opened the
    // window.
    EffectScope.withCurrent(newest.scope) {
      DispatchSender.pass(merged, of: newest.sender) { next?.send(merged) }
    }
  }
}

/// Returns a middleware that applies rules to the actions of one type, and passes all other
/// actions on.
func holdActions<State, Held: Action, Rules: HoldingRules>(
  by rules: Rules, clock: any Clock<Duration>,
  merging merge: @escaping @Sendable (Held, Held) -> Held = { _, new in new }
) -> Middleware<State> where Rules.Held == HeldAction<Held> {
  let held = ActionType(Held.self)
  return { _, _ in
    // A ``DynamicMiddleware`` calls the middle closure again each time a middleware is added or
    // removed. The held actions are stored outside the middle closure, so that changing the chain
    // does not drop them.
    let actions = HeldActions(rules, on: Timeline(clock), merging: merge)
    return { next in
      actions.send(to: next)
      return held.branch(
        to: { action in actions.receive(action.knownToBe(Held.self)) }, otherwise: next)
    }
  }
}
