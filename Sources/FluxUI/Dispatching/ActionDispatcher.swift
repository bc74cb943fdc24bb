public import FluxAsync
public import FluxCore

/// Sends actions from the main actor, where what is shown is up to date before the call returns.
///
/// ```swift
/// let dispatch = ActionDispatcher(store)
/// dispatch(SetFilter(.open))
/// ```
///
/// It does what ``/FluxCore/Store/dispatch(_:)`` does, and then delivers what is due on the main actor: connections,
/// observable stores, and whoever subscribed there has heard of the action. Inside an observer on the main actor they hear
/// when that has returned. While a batch is open, or another thread is still telling plug-ins, they hear after that, all but
/// the connection whose dispatcher it is. It keeps no store alive; once the store has gone it does nothing.
///
/// From other threads, ``function`` dispatches in the ordinary way. The idea and the name are SwiftDux's.
public struct ActionDispatcher: Sendable {
  private struct Target: Sendable {
    let dispatch: DispatchFunction
    let dispatchAsync: @Sendable (any Action) -> DispatchTask
    /// Dispatches from any thread.
    let function: DispatchFunction
    let context: ActionContext
    let identity: any AnyObject & Sendable
    let changes: [ActionChangePlace]
  }

  private let target: Target?
  /// Brings up to date whose dispatcher it is.
  private var catchUp: (@MainActor @Sendable () -> Void)?

  /// Creates a dispatcher that sends actions to a store, or to the store of a proxy.
  public init<State>(_ source: some StateSource<State>) {
    self.init(source._proxy, through: [])
  }

  /// Creates a dispatcher whose actions pass through closures that may replace or drop them, the
  /// first closure first.
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

  /// The same dispatcher, which then has somebody catch up who is not up to date yet.
  func then(_ catchUp: @escaping @MainActor @Sendable () -> Void) -> ActionDispatcher {
    var copy = self
    copy.catchUp = catchUp
    return copy
  }

  /// Sends an action, and brings up to date what is shown.
  @MainActor
  public func callAsFunction(_ action: any Action) {
    aim(at: action).dispatch(action)
    deliver()
  }

  /// Sends an action, and brings up to date what is shown: SwiftDux's spelling.
  @MainActor
  public func send(_ action: any Action) {
    self(action)
  }

  /// Sends an action, brings up to date what is shown, and returns what to wait for or to cancel.
  @MainActor @discardableResult
  public func dispatchAsync(_ action: any Action) -> DispatchTask {
    let task = aim(at: action).dispatchAsync(action)
    deliver()
    return task
  }

  /// Sends an action, and brings up to date what is shown; its work is cancelled when the token is, or is dropped.
  @MainActor
  public func sendAsCancellable(_ action: any Action) -> SubscriptionToken {
    SubscriptionToken(cancelling: dispatchAsync(action).cancel)
  }

  /// A plain function that any thread may call to dispatch an action.
  ///
  /// Views show what the action changes a little later. If a closure of
  /// ``ProvidedStores/onAction(perform:)`` handles the action, and the function is not called on
  /// the main actor, the action reaches the store a little later too.
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
  /// store, or the same proxy of a part of a store, through the same closures of
  /// ``ProvidedStores/onAction(perform:)``.
  public static func == (left: ActionDispatcher, right: ActionDispatcher) -> Bool {
    left.target?.identity === right.target?.identity
      && (left.target?.changes ?? []).elementsEqual(right.target?.changes ?? [], by: ===)
  }
}
