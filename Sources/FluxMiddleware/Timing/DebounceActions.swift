public import FluxCore

/// A middleware that passes on the last of several actions of one type, once none has come for a while.
///
/// ```swift
/// debounceActions(of: Search.self, for: .milliseconds(300))
/// ```
///
/// Each action of the type is held, and takes the place of the one held before, which goes no further. When no other
/// has come for `duration` the one that is held is sent on, from a task. Actions of other types pass at once, at the
/// cost of a comparison. What is held when the store goes, or the middleware is removed, is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to hold.
///   - duration: How long it has to be quiet.
///   - clock: What measures the time.
public func debounceActions<State, Held: Action>(
  of type: Held.Type, for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: DebounceRules<HeldAction<Held>>(duration: duration), clock: clock)
}

/// Sends the last action on once none has come for a while.
///
/// Only one is asleep at a time: who wakes too early, because another action has come, sleeps on.
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
