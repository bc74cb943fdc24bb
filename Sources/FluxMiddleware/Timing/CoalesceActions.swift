public import FluxCore

/// Returns a middleware that merges all actions of a type that arrive within a period into one
/// action.
///
/// ```swift
/// coalesceActions(of: Progress.self, within: .milliseconds(50)) { first, second in
///   Progress(bytes: first.bytes + second.bytes)
/// }
/// ```
///
/// The first action opens a window of time. Until the window closes, the middleware collects
/// actions of the type instead of passing them on. When the window closes, a task merges the
/// collected actions in the order in which they arrived, and calls `next` with the result. Actions
/// of other types are passed on immediately, and cost one comparison. When the store is released
/// or the middleware is removed, the collected actions are dropped.
///
/// - Parameters:
///   - type: The exact type of the actions to merge.
///   - duration: The length of the window.
///   - clock: The clock that measures the time.
///   - merge: A closure that merges two actions, in the order in which they arrived. The first
///     action can be the result of an earlier merge.
public func coalesceActions<State, Held: Action>(
  of type: Held.Type, within duration: Duration, clock: any Clock<Duration> = ContinuousClock(),
  merging merge: @escaping @Sendable (_ first: Held, _ second: Held) -> Held
) -> Middleware<State> {
  holdActions(by: CoalesceRules<HeldAction<Held>>(duration: duration), clock: clock, merging: merge)
}

/// The rules of coalescing: all actions of a window are sent when the window closes.
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
