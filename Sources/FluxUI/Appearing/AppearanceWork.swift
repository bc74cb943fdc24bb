import FluxAsync
public import FluxCore

/// An object that starts work when a view appears, and cancels the work when the view
/// disappears.
///
/// ```swift
/// let work = AppearanceWork()
/// work.appear(dispatching: LoadTodos(), by: dispatch)
/// work.disappear()
/// ```
///
/// An action is dispatched each time the view appears, unless the work of the previous dispatch
/// is still running. When the view disappears, or when this object is released, the work is
/// canceled, along with all other work that the canceled work started. If `cancelOnDisappear` is
/// `false`, the work is not canceled. The idea comes from SwiftDux.
@MainActor
public final class AppearanceWork {
  private var running: DispatchTask?
  /// The token that cancels the running work when this object is released; `nil` if the work
  /// must not be canceled.
  private var bound: SubscriptionToken?

  /// Creates an object that has not started any work.
  public init() {}

  /// A Boolean value that indicates whether the work of a dispatched action is still running.
  public var isRunning: Bool { running?.isRunning == true }

  /// Dispatches an action when the view appears, unless the work of the previous dispatch is
  /// still running.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch, such as an async action or an action plan.
  ///   - cancelOnDisappear: A Boolean value that indicates whether the work is canceled when
  ///     the view disappears. If the value is `false`, the work continues, and nothing is
  ///     dispatched if the view appears again before the work ends.
  ///   - dispatch: The dispatcher that sends the action.
  public func appear(
    dispatching action: any Action, cancelOnDisappear: Bool = true, by dispatch: ActionDispatcher
  ) {
    guard !isRunning else { return }
    let task = dispatch.dispatchAsync(action)
    running = task
    bound = cancelOnDisappear ? SubscriptionToken(cancelling: task.cancel) : nil
  }

  /// Cancels the work because the view disappeared, unless `cancelOnDisappear` was `false`.
  public func disappear() {
    guard let bound else { return }
    self.bound = nil
    running = nil
    bound.cancel()
  }
}
