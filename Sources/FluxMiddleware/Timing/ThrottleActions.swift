public import FluxCore

/// Returns a middleware that passes on at most one action of a type in each period of a given
/// length.
///
/// ```swift
/// throttleActions(of: Scroll.self, every: .milliseconds(100))
/// ```
///
/// The first action is passed on immediately. If more actions arrive within `duration` after an
/// action was passed on, the middleware stores the newest action and drops the older actions.
/// When `duration` has passed, a task calls `next` with the stored action. If `latest` is
/// `false`, all actions that arrive too early are dropped. Actions of other types are passed on
/// immediately, and cost one comparison. When the store is released or the middleware is
/// removed, the stored action is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to throttle.
///   - duration: The minimum time between two actions that are passed on.
///   - latest: A Boolean value that indicates whether the newest action that arrived too early
///     is passed on later.
///   - clock: The clock that measures the time.
public func throttleActions<State, Held: Action>(
  of type: Held.Type, every duration: Duration, latest: Bool = true,
  clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: ThrottleRules<HeldAction<Held>>(duration: duration, sendsLatest: latest), clock: clock)
}

/// The rules of throttling: the first action is sent immediately, and the newest action that
/// arrived too early is sent later.
struct ThrottleRules<Held: Action>: HoldingRules {
  private enum State: Sendable {
    /// No action is held, and the next action can be sent at the given time or later.
    case open(from: Duration)
    /// An action is held until the given time, and a task is sleeping until that time.
    case holding(Held, until: Duration)
  }

  let duration: Duration
  let sendsLatest: Bool
  private var state = State.open(from: .zero)

  init(duration: Duration, sendsLatest: Bool) {
    self.duration = duration
    self.sendsLatest = sendsLatest
  }

  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held> {
    switch state {
    case .open(let start) where start <= now:
      state = .open(from: now + duration)
      return HoldingStep(sends: [action])
    case .open(let start):
      guard sendsLatest else { return HoldingStep(drops: action) }
      state = .holding(action, until: start)
      return HoldingStep(wakesAt: start)
    case .holding(let old, let deadline):
      state = .holding(action, until: deadline)
      return HoldingStep(drops: old)
    }
  }

  mutating func woke(at now: Duration) -> HoldingStep<Held> {
    guard case .holding(let action, _) = state else { return HoldingStep() }
    state = .open(from: now + duration)
    return HoldingStep(sends: [action])
  }
}
