import Synchronization

/// The scope that dispatched an action, so that the store refuses the actions of scopes that have
/// ended.
///
/// A scope that has ended dispatches no actions. An action that the scope dispatched before can
/// still be on its way to the reducer. The store refuses this action under its lock: the action is
/// not reduced, and no observer receives it.
///
/// A thread that dispatches an action carries the sender to the first link of the chain, which
/// takes the sender. An action that a middleware or an observer dispatches during the dispatch has
/// no sender, and neither has an action that another thread or a task passes on.
@usableFromInline
package final class DispatchSender: Sendable {
  private let scope: EffectScope
  /// The sender whose dispatch contains this dispatch, or `nil`.
  private let outer: DispatchSender?
  private let refusal: (@Sendable (any Action) -> Void)?
  private let isRefused = Atomic(false)
  /// The thread that is passing the action through the chain, or 0.
  ///
  /// A task that is created meanwhile inherits the task-local value, but not the action.
  private let thread = Atomic<UInt>(0)

  private init(_ scope: EffectScope, refusal: (@Sendable (any Action) -> Void)?) {
    self.scope = scope
    self.refusal = refusal
    outer = DispatchSender.carried
  }

  /// The sender as the value of a task-local variable.
  private struct OfTask: Sendable {
    let sender: DispatchSender?
    /// A Boolean value that indicates whether the action has passed the first link.
    let isInChain: Bool
  }

  @TaskLocal private static var ofTask = OfTask(sender: nil, isInChain: false)

  // MARK: Carrying

  /// The sender that the thread carries to the first link of the chain, or `nil`.
  static var carried: DispatchSender? {
    let current = ofTask
    return current.isInChain ? nil : current.sender
  }

  /// Calls a closure that dispatches the action of a sender.
  static func carry(_ sender: DispatchSender?, _ dispatch: () -> Void) {
    guard let sender else { return dispatch() }
    $ofTask.withValue(OfTask(sender: sender, isInChain: false), operation: dispatch)
  }

  /// Calls a closure that dispatches an action as part of a scope, unless the scope has ended.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - scope: The scope.
  ///   - refusal: A closure that receives the action if the scope ends before the reduction.
  ///   - dispatch: The closure that dispatches the action.
  package static func dispatch(
    _ action: any Action, in scope: EffectScope, refusal: (@Sendable (any Action) -> Void)? = nil,
    by dispatch: () -> Void
  ) {
    let sender = DispatchSender(scope, refusal: refusal)
    var hasBegun = false
    scope.whileDispatching {
      hasBegun = true
      scope.gather { carry(sender, dispatch) }
    }
    if !hasBegun { refusal?(action) }
  }

  // MARK: In the chain

  /// The sender of the action that the thread is passing through the chain, or `nil`.
  package static var ofChain: DispatchSender? {
    let current = ofTask
    guard current.isInChain, let sender = current.sender else { return nil }
    return sender.thread.load(ordering: .relaxed) == ThreadIdentity.current.rawValue ? sender : nil
  }

  /// Calls a closure that passes an action to the rest of the chain, with the sender that the
  /// thread carries.
  static func enterChain(with action: any Action, _ next: () -> Void) {
    pass(action, of: carried, next)
  }

  /// Calls a closure that passes the action of a sender to the rest of the chain.
  ///
  /// If the store refuses the action, the method reports it to the sender afterward.
  package static func pass(_ action: any Action, of sender: DispatchSender?, _ next: () -> Void) {
    guard let sender else {
      if ofTask.sender == nil { return next() }
      return $ofTask.withValue(OfTask(sender: nil, isInChain: true), operation: next)
    }
    sender.thread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
    $ofTask.withValue(OfTask(sender: sender, isInChain: true), operation: next)
    sender.thread.store(0, ordering: .relaxed)
    sender.reportRefusal(of: action)
  }

  /// Calls a closure that passes an action to the rest of the chain, unless a scope has ended.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - scope: The scope that determines whether the action is reduced.
  ///   - current: The scope in which the work of the action starts.
  ///   - next: The closure that passes the action on.
  package static func pass(
    _ action: any Action, in scope: EffectScope, current: EffectScope?, _ next: () -> Void
  ) {
    let sender = DispatchSender(scope, refusal: nil)
    scope.whileDispatching {
      EffectScope.withCurrent(current) { pass(action, of: sender, next) }
    }
  }

  private func reportRefusal(of action: any Action) {
    if isRefused.load(ordering: .relaxed) { refusal?(action) }
    outer?.reportRefusal(of: action)
  }

  /// Returns a Boolean value that indicates whether the scope that dispatched the action that is
  /// being reduced has ended.
  ///
  /// The store then does not reduce the action.
  @usableFromInline
  static func refusesReducedAction() -> Bool { ofChain?.refuseIfEnded() ?? false }

  private func refuseIfEnded() -> Bool {
    let isOuterRefused = outer?.refuseIfEnded() ?? false
    guard scope.hasEnded else { return isOuterRefused }
    isRefused.store(true, ordering: .relaxed)
    return true
  }
}

extension StoreCore {
  /// Makes the scopes of the store's work carry themselves to the first link of the chain as the
  /// senders of their actions.
  func carrySenders() {
    carriesSenders.store(true, ordering: .relaxed)
    hasAudience.store(true, ordering: .relaxed)
  }
}

extension ActionContext {
  /// Calls a closure that dispatches an action as part of a scope, unless the scope has ended.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - scope: The scope.
  ///   - refusal: A closure that receives the action if the scope has ended.
  ///   - dispatch: The closure that dispatches the action.
  package func dispatch(
    _ action: any Action, in scope: EffectScope, refusal: @escaping @Sendable (any Action) -> Void,
    by dispatch: () -> Void
  ) {
    if host.carriesSenders.load(ordering: .relaxed) {
      return DispatchSender.dispatch(action, in: scope, refusal: refusal, by: dispatch)
    }
    var hasBegun = false
    scope.whileDispatching {
      hasBegun = true
      scope.gather(dispatch)
    }
    if !hasBegun { refusal(action) }
  }

  /// Dispatches an action through the store's whole chain as part of the work or the dispatch
  /// that a scope belongs to, unless the scope has ended.
  package func dispatch(_ action: any Action, in scope: EffectScope) {
    guard host.carriesSenders.load(ordering: .relaxed) else {
      return scope.whileDispatching { scope.gather { host.functions.dispatch(host, action) } }
    }
    DispatchSender.dispatch(action, in: scope) { host.functions.dispatch(host, action) }
  }
}
