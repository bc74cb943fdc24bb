public import FluxCore

/// A middleware that makes one action of all those of a type that come within a while.
///
/// ```swift
/// coalesceActions(of: Progress.self, within: .milliseconds(50)) { first, second in
///   Progress(bytes: first.bytes + second.bytes)
/// }
/// ```
///
/// The first action opens a window. What comes until it closes is held; then all of it is merged, in the order in
/// which it came, and sent on as one action, from a task. Actions of other types pass at once, at the cost of a
/// comparison. What is held when the store goes, or the middleware is removed, is dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to hold.
///   - duration: How long the window is.
///   - clock: What measures the time.
///   - merge: Makes one action of what there is so far and the next one.
public func coalesceActions<State, Held: Action>(
  of type: Held.Type, within duration: Duration, clock: any Clock<Duration> = ContinuousClock(),
  merging merge: @escaping @Sendable (_ first: Held, _ second: Held) -> Held
) -> Middleware<State> {
  holdActions(by: CoalesceRules<HeldAction<Held>>(duration: duration), clock: clock, merging: merge)
}

/// Sends all actions of a window on when it closes.
struct CoalesceRules<Held: Action>: HoldingRules {
  let duration: Duration
  private var held: [Held] = []

  init(duration: Duration) {
    self.duration = duration
  }

  mutating func received(_ action: Held, at now: Duration) -> HoldingStep<Held> {
    held.append(action)
    return held.count == 1 ? HoldingStep(wakesAt: now + duration) : HoldingStep()
  }

  mutating func woke(at now: Duration) -> HoldingStep<Held> {
    defer { held = [] }
    return HoldingStep(sends: held)
  }
}
