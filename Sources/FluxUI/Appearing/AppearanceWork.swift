import FluxAsync
public import FluxCore

/// The work that a view has going while it is on show: what it dispatches when it appears, and what ends when it disappears.
///
/// ```swift
/// let work = AppearanceWork()
/// work.appear(dispatching: LoadTodos(), by: dispatch)
/// work.disappear()
/// ```
///
/// An action is dispatched each time that the view appears, unless the work that it started before still goes on. When the
/// view disappears that work is cancelled, with all that it started, unless it was said to go on; so it is when this
/// is dropped. The idea is SwiftDux's.
@MainActor
public final class AppearanceWork {
  private var running: DispatchTask?
  /// What ends with this.
  private var bound: SubscriptionToken?

  /// Creates work that has not begun.
  public init() {}

  /// Whether something that was dispatched is going on.
  public var isRunning: Bool { running?.isRunning == true }

  /// The view is on show: dispatches an action, unless its work still goes on.
  ///
  /// - Parameters:
  ///   - action: What to dispatch: an action, an async action, an action plan.
  ///   - cancelOnDisappear: Whether its work is cancelled when the view disappears. If not, it goes on, and a view that
  ///     appears again meanwhile dispatches nothing.
  ///   - dispatch: What to dispatch it with.
  public func appear(
    dispatching action: any Action, cancelOnDisappear: Bool = true, by dispatch: ActionDispatcher
  ) {
    guard !isRunning else { return }
    let task = dispatch.dispatchAsync(action)
    running = task
    bound = cancelOnDisappear ? SubscriptionToken(cancelling: task.cancel) : nil
  }

  /// The view is not on show any more: cancels the work that does not go on without it.
  public func disappear() {
    guard let bound else { return }
    self.bound = nil
    running = nil
    bound.cancel()
  }
}
