public import FluxCore

/// Returns a middleware that passes on at most one action of a type in a period.
///
/// ```swift
/// throttleActions(of: Scroll.self, every: .milliseconds(100))
/// ```
///
/// The first action is passed on immediately. The middleware holds the newest of the actions
/// that arrive within `duration` after an action was passed on. A task sends the held action
/// when that time has passed. With `latest: false`, the actions that arrive too early are
/// dropped. Actions of other types are passed on immediately, at the cost of a comparison. When
/// the store is released or the middleware is removed, the held action is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to throttle.
///   - duration: The shortest time between two of the actions.
///   - latest: A Boolean value that indicates whether the newest of the actions that arrived too
///     early is sent later.
///   - clock: The clock that measures the time.
public func throttleActions<State, Held: Action>(
  of type: Held.Type, every duration: Duration, latest: Bool = true,
  clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: ThrottleRules<HeldAction<Held>>(duration: duration, sendsLatest: latest), clock: clock)
}

/// The rules of throttling: an action is sent immediately, then the newest of those that arrived
/// too early.
struct ThrottleRules<Held: Action>: HoldingRules {
  private enum State: Sendable {
    /// No action is held; the next action can pass from that time on.
    case open(from: Duration)
    /// An action is held until that time, and a task sleeps.
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
