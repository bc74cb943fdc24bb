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
  private let rules: Locked<Rules>
  private let timeline: Timeline
  private let merge: @Sendable (Held, Held) -> Held
  private let next = Locked<Next?>(nil)
  private let scope = EffectScope()

  init(
    _ rules: Rules, on timeline: Timeline,
    merging merge: @escaping @Sendable (Held, Held) -> Held
  ) {
    self.rules = Locked(rules)
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
    take(rules.withLock { $0.received(held, at: now) })
  }

  private func wake(notBefore deadline: Duration) {
    let now = max(deadline, timeline.now)
    take(rules.withLock { $0.woke(at: now) })
  }

  /// Does what the rules say, outside the lock.
  private func take(_ step: HoldingStep<Rules.Held>) {
    if let deadline = step.wakesAt {
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
    guard let first = step.sends.first, let newest = step.sends.last else { return }
    let next = next.withLock { $0 }
    // To what the newest belongs, and not to what is current here: a task, or the dispatch that opened the window.
    EffectScope.$current.withValue(newest.scope) {
      next?.send(step.sends.dropFirst().reduce(first.action) { merge($0, $1.action) })
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
