public import FluxCore

/// A middleware that passes on at most one action of a type in a while.
///
/// ```swift
/// throttleActions(of: Scroll.self, every: .milliseconds(100))
/// ```
///
/// The first action is passed on at once. Of those that come within `duration` of the last one that was passed on, the
/// newest is held and sent on when that time is over, from a task; with `latest: false` they go no further. Actions
/// of other types pass at once, at the cost of a comparison. What is held when the store goes, or the middleware is removed, is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to hold.
///   - duration: The least time between two of them.
///   - latest: Whether the newest of those that came too early is sent on later.
///   - clock: What measures the time.
public func throttleActions<State, Held: Action>(
  of type: Held.Type, every duration: Duration, latest: Bool = true,
  clock: any Clock<Duration> = ContinuousClock()
) -> Middleware<State> {
  holdActions(by: ThrottleRules<HeldAction<Held>>(duration: duration, sendsLatest: latest), clock: clock)
}

/// Sends an action on at once, and then the newest of those that came too early.
struct ThrottleRules<Held: Action>: HoldingRules {
  private enum State: Sendable {
    /// Nothing is held; the next action may pass from then on.
    case open(from: Duration)
    /// An action is held until then, and somebody is asleep.
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
