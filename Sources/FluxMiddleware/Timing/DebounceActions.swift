public import FluxCore

/// Returns a middleware that passes on the last of several actions of a type, after a period
/// without another one.
///
/// ```swift
/// debounceActions(of: Search.self, for: .milliseconds(300))
/// ```
///
/// The middleware holds each action of the type. If another one is already held, the new action
/// replaces it, and the replaced action is dropped. When no other action has arrived for
/// `duration`, a task sends the held action to `next`. Actions of other types are passed on
/// immediately, at the cost of a comparison. When the store is released or the middleware is
/// removed, the held action is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to debounce.
///   - duration: The period without an action of the type.
///   - clock: The clock that measures the time.
public func debounceActions<State, Held: Action>(
  of type: Held.Type, for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: DebounceRules<HeldAction<Held>>(duration: duration), clock: clock)
}

/// The rules of debouncing: the last action is sent when no other one has arrived for a period.
///
/// Only one task sleeps at a time. If it wakes before the deadline, because another action has
/// moved the deadline, it sleeps again.
struct DebounceRules<Held: Action>: HoldingRules {
  private enum State: Sendable {
    case idle
    case holding(Held, until: Duration)
  }

  let duration: Duration
  private var state = State.idle

  init(duration: Duration) {
    self.duration = duration
  }

  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held> {
    let deadline = now + duration
    defer { state = .holding(action, until: deadline) }
    switch state {
    case .idle: return HoldingStep(wakesAt: deadline)
    case .holding(let old, _): return HoldingStep(drops: old)
    }
  }

  mutating func woke(at now: Duration) -> HoldingStep<Held> {
    switch state {
    case .idle: return HoldingStep()
    case .holding(_, let deadline) where deadline > now: return HoldingStep(wakesAt: deadline)
    case .holding(let action, _):
      state = .idle
      return HoldingStep(sends: [action])
    }
  }
}
