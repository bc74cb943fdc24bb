public import FluxCore

/// Returns a middleware that passes on an action of a type only after a period in which no other
/// action of that type arrives.
///
/// ```swift
/// debounceActions(of: Search.self, for: .milliseconds(300))
/// ```
///
/// The middleware stores each action of the type instead of passing it on immediately. If
/// another action is already stored, the new action replaces it, and the replaced action is
/// dropped. When no other action of the type has arrived for `duration`, a task calls `next`
/// with the stored action. Actions of other types are passed on immediately, and cost one
/// comparison. When the store is released or the middleware is removed, the stored action is
/// dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to debounce.
///   - duration: The time that must pass without another action of the type.
///   - clock: The clock that measures the time.
public func debounceActions<State, Held: Action>(
  of type: Held.Type, for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: DebounceRules<HeldAction<Held>>(duration: duration), clock: clock)
}

/// The rules of debouncing: the last action is sent after a period in which no other action has
/// arrived.
///
/// Only one task sleeps at a time. If another action has moved the deadline when the task wakes,
/// the task sleeps again.
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
