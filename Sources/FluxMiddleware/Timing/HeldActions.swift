import FluxCore

/// The rules by which actions of one type are held back: pure, told of events, and saying what to do.
protocol HoldingRules<Held>: Sendable {
  associatedtype Held: Action

  /// An action has come.
  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held>

  /// The time that was asked for has come.
  mutating func woke(at now: Duration) -> HoldingStep<Held>
}

/// What rules say to do.
struct HoldingStep<Held: Action>: Sendable {
  /// The actions to make one of and send on now, in the order in which they came.
  var sends: [Held] = []
  /// When to wake, if nobody is asleep yet.
  var wakesAt: Duration?
  /// What goes no further, to be released outside the lock.
  var drops: Held?
}

/// An action that is held, with the work or dispatch to be waited for that it belongs to.
struct HeldAction<Held: Action>: Action {
  let action: Held
  let scope: EffectScope?
}

/// The actions of one type that are on their way through a chain, held back by rules.
///
/// It ends with the chain it stands in: what is held then is dropped, as a late call of `next` would be.
final class HeldActions<Held: Action, Rules: HoldingRules>: Sendable where Rules.Held == HeldAction<Held> {
  private struct Contents: Sendable {
    var rules: Rules
    /// What is to be sent on, in order, each with those that are merged with it.
    var outbox: [[Rules.Held]] = []
    /// Who sends on: one thread at a time, so that the order stands.
    var sender: ThreadIdentity?

    /// What is to be sent next; when there is nothing, nobody is the sender any more.
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

  /// What is behind these in the chain, in a struct since a function in an optional would be wrapped in a thunk.
  private struct Next: Sendable {
    let send: DispatchFunction
  }

  /// Sends on from now on to another link; what is held stays held.
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

  /// Tells the rules of an event and does what they say, outside the lock.
  private func take(_ event: (inout Rules) -> HoldingStep<Rules.Held>) {
    let thread = ThreadIdentity.current
    let (step, isSender, isNested) = contents.withLock { contents in
      let step = event(&contents.rules)
      // From within what this thread sends on it goes at once, as any nested dispatch.
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
        // Cancelled: the chain has gone. Any other clock's trouble must not hold an action for ever.
        if error is CancellationError { return }
      }
      self?.wake(notBefore: deadline)
    }
  }

  private func send(_ actions: [Rules.Held]) {
    guard let first = actions.first, let newest = actions.last else { return }
    let next = next.withLock { $0 }
    // To what the newest belongs, and not to what is current here: a task, or the dispatch that opened the window.
    EffectScope.$current.withValue(newest.scope) {
      next?.send(actions.dropFirst().reduce(first.action) { merge($0, $1.action) })
    }
  }
}

/// A middleware that holds back actions of one type by rules, and passes all others on.
func holdActions<State, Held: Action, Rules: HoldingRules>(
  by rules: Rules, clock: any Clock<Duration>,
  merging merge: @escaping @Sendable (Held, Held) -> Held = { _, new in new }
) -> Middleware<State> where Rules.Held == HeldAction<Held> {
  let held = ActionType(Held.self)
  return { _, _ in
    // Here and not further in: a chain that changes is put together anew, and what is held must not get lost.
    let actions = HeldActions(rules, on: Timeline(clock), merging: merge)
    return { next in
      actions.send(to: next)
      return held.branch(
        to: { action in actions.receive(action.knownToBe(Held.self)) }, otherwise: next)
    }
  }
}
