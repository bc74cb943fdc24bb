import FluxAsync
public import FluxCore

/// The work that a view starts when it appears, and cancels when it disappears.
///
/// ```swift
/// let work = AppearanceWork()
/// work.appear(dispatching: LoadTodos(), by: dispatch)
/// work.disappear()
/// ```
///
/// An action is dispatched each time the view appears, unless the work that it started earlier
/// is still running. When the view disappears, that work is canceled, including all work that
/// it started, unless `cancelOnDisappear` is `false`. The same happens when this object is
/// released. The idea comes from SwiftDux.
@MainActor
public final class AppearanceWork {
  private var running: DispatchTask?
  /// The token that cancels the running work when this object is released; `nil` if the work is
  /// to continue.
  private var bound: SubscriptionToken?

  /// Creates an object without running work.
  public init() {}

  /// A Boolean value that indicates whether the work of a dispatched action is still running.
  public var isRunning: Bool { running?.isRunning == true }

  /// Dispatches an action because the view appeared, unless the previous work is still running.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch, such as an async action or an action plan.
  ///   - cancelOnDisappear: A Boolean value that indicates whether the work is canceled when
  ///     the view disappears. If it is `false`, the work continues, and nothing is dispatched
  ///     if the view appears again before the work ends.
  ///   - dispatch: The dispatcher that sends the action.
  public func appear(
    dispatching action: any Action, cancelOnDisappear: Bool = true, by dispatch: ActionDispatcher
  ) {
    guard !isRunning else { return }
    let task = dispatch.dispatchAsync(action)
    running = task
    bound = cancelOnDisappear ? SubscriptionToken(cancelling: task.cancel) : nil
  }

  /// Cancels the work because the view disappeared, unless the work is to continue.
  public func disappear() {
    guard let bound else { return }
    self.bound = nil
    running = nil
    bound.cancel()
  }
}
