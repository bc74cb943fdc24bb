public import FluxAsync
public import FluxCore

/// A value that sends actions from the main actor, and updates the views before the call
/// returns.
///
/// ```swift
/// let dispatch = ActionDispatcher(store)
/// dispatch(SetFilter(.open))
/// ```
///
/// A dispatcher sends an action in the same way as ``/FluxCore/Store/dispatch(_:)``, and then
/// delivers the newest state on the main actor. When the call returns, connections, observable
/// stores, and other observers on the main actor have received the state, with two exceptions:
///
/// - If an observer on the main actor dispatches, the other observers receive the state after
///   that observer has returned.
/// - If a batch is open, or if another thread is notifying plug-ins, the observers receive the
///   state after the batch or the notification has ended. However, the connection or observable
///   store that provides the dispatcher is still updated before the call returns.
///
/// A dispatcher does not keep the store alive. After the store is released, dispatching an action
/// does nothing. Other threads can dispatch through ``function``. The idea and the name come from
/// SwiftDux.
public struct ActionDispatcher: Sendable {
  private struct Target: Sendable {
    let dispatch: DispatchFunction
    let dispatchAsync: @Sendable (any Action) -> DispatchTask
    /// The function that dispatches from any thread.
    let function: DispatchFunction
    let context: ActionContext
    let identity: any AnyObject & Sendable
    let changes: [ActionChangePlace]
  }

  private let target: Target?
  /// A closure that updates the connection or observable store that provides the dispatcher.
  private var catchUp: (@MainActor @Sendable () -> Void)?

  /// Creates a dispatcher that sends actions to a store, or to the store of a proxy.
  public init<State>(_ source: some StateSource<State>) {
    self.init(source._proxy, through: [])
  }

  /// Creates a dispatcher whose actions pass through closures that can replace or drop the
  /// actions.
  ///
  /// An action passes through the closures from the first to the last.
  init<State>(_ proxy: StoreProxy<State>, through changes: [ActionChangePlace]) {
    let changing = changes.isEmpty ? proxy : proxy.dispatching(by: changes.changeOnMainActor(proxy.dispatch))
    target = Target(
      dispatch: changing.dispatch, dispatchAsync: { changing.dispatchAsync($0) },
      function: proxy.dispatching(through: changes).dispatch, context: proxy.context,
      identity: proxy.identity, changes: changes)
  }

  /// Creates a dispatcher without a store, for views to which no store is provided.
  init() {
    target = nil
  }

  /// Returns a copy that calls a closure after a dispatch if the newest state has not yet been
  /// delivered on the main actor.
  func then(_ catchUp: @escaping @MainActor @Sendable () -> Void) -> ActionDispatcher {
    var copy = self
    copy.catchUp = catchUp
    return copy
  }

  /// Sends an action, and updates the views before the call returns.
  @MainActor
  public func callAsFunction(_ action: any Action) {
    aim(at: action).dispatch(action)
    deliver()
  }

  /// Sends an action, and updates the views before the call returns.
  ///
  /// The name comes from SwiftDux.
  @MainActor
  public func send(_ action: any Action) {
    self(action)
  }

  /// Sends an action, updates the views, and returns a task for awaiting or canceling the work
  /// of the action.
  @MainActor @discardableResult
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    let task = aim(at: action).dispatchAsync(action)
    deliver()
    return task
  }

  /// Sends an action, updates the views, and returns a token that cancels the work of the
  /// action.
  ///
  /// Releasing the token also cancels the work.
  @MainActor
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }

  /// A plain function that dispatches an action from any thread.
  ///
  /// Views show the changes shortly after the function returns. If another thread calls the
  /// function, and a closure of ``ProvidedStores/onAction(perform:)`` handles the action, the
  /// store receives the action asynchronously.
  public var function: DispatchFunction {
    if let target { return target.function }
    return { action in Misuse.dispatchedToNobody(action) }
  }

  private func aim(at action: any Action) -> Target {
    guard let target else { Misuse.dispatchedToNobody(action) }
    return target
  }

  @MainActor
  private func deliver() {
    if target?.context.deliverOnMain() == true { catchUp?() }
  }
}

extension ActionDispatcher: Equatable {
  /// Returns a Boolean value that indicates whether two dispatchers send actions to the same
  /// destination through the same closures.
  ///
  /// The destination is a store, or a proxy for a part of a state. The closures come from
  /// ``ProvidedStores/onAction(perform:)``.
  public static func == (left: ActionDispatcher, right: ActionDispatcher) -> Bool {
    left.target?.identity === right.target?.identity
      && (left.target?.changes ?? []).elementsEqual(right.target?.changes ?? [], by: ===)
  }
}
