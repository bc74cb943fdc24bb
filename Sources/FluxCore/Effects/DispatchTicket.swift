/// A ticket for a caller that dispatches an action and waits for a value from the code that
/// handles the action.
///
/// The first value that a `claim` method accepts settles the ticket. If no value is accepted,
/// the ticket is settled at the end of the dispatch: when `dispatch` returns, or when the last
/// deferred action has been handled, whichever is later. A ticket is safe to use from any
/// thread.
///
/// The value is an object, because a cast of an object to a final class takes a few instructions.
@usableFromInline
package final class DispatchTicket: Sendable {
  package typealias Value = any AnyObject & Sendable

  private struct Contents: Sendable {
    /// The number of holds that keep the ticket open: one hold for the dispatch itself, and one
    /// hold for each deferred action.
    var holds = 1
    var isSettled = false
    var value: Value?
    var handlers: [@Sendable (Value?) -> Void] = []

    /// Settles the ticket if it is not settled, and returns the closures to call.
    mutating func settle(_ value: Value?) -> [@Sendable (Value?) -> Void] {
      guard !isSettled else { return [] }
      isSettled = true
      self.value = value
      defer { handlers = [] }
      return handlers
    }
  }

  /// The ticket as the value of a task-local variable.
  ///
  /// The value is a structure for the same reason as the value of an ``EffectScope``.
  private struct OfTask: Sendable {
    let ticket: DispatchTicket?
  }

  @TaskLocal private static var ofTask = OfTask(ticket: nil)

  /// The ticket of the dispatch that is in progress in the current task.
  package static var current: DispatchTicket? { ofTask.ticket }

  /// Calls a closure with a ticket as the current ticket.
  fileprivate static func withCurrent(_ ticket: DispatchTicket?, operation: () -> Void) {
    $ofTask.withValue(OfTask(ticket: ticket), operation: operation)
  }

  private let isMeant: @Sendable (any Action, ActionContext) -> Bool
  private let contents = Locked(Contents())

  /// Creates a ticket for a dispatch that is about to begin.
  ///
  /// - Parameter isMeant: A closure that returns whether the caller waits for a given action in
  ///   a given store. The default closure matches no action.
  package init(
    isMeant: @escaping @Sendable (_ action: any Action, _ context: ActionContext) -> Bool = { _, _ in false }
  ) {
    self.isMeant = isMeant
  }

  /// Makes this ticket the current ticket while a closure dispatches.
  package func carry(_ dispatch: () -> Void) {
    DispatchTicket.withCurrent(self, operation: dispatch)
    release()
  }

  // MARK: Deferring

  /// Adds a hold that keeps the ticket open for an action that will be handled later.
  package func hold() {
    contents.withLock { $0.holds += 1 }
  }

  /// Removes a hold.
  ///
  /// If no holds remain, the ticket is settled without a value.
  package func release() {
    let handlers = contents.withLock { contents in
      contents.holds -= 1
      return contents.holds == 0 ? contents.settle(nil) : []
    }
    for handler in handlers { handler(nil) }
  }

  // MARK: The value

  /// Settles the ticket with a value, if the caller waits for the action and the ticket is not
  /// settled.
  package func claim(_ value: Value, for action: any Action, in context: ActionContext) {
    guard isMeant(action, context) else { return }
    claim(value)
  }

  /// Settles the ticket with a value, unless the ticket is settled.
  package func claim(_ value: Value) {
    for handler in contents.withLock({ $0.settle(value) }) { handler(value) }
  }

  /// A Boolean value that indicates whether the ticket has a value or can no longer receive a
  /// value.
  package var isSettled: Bool { contents.withLock { $0.isSettled } }

  /// The value that settled the ticket, or `nil` if there is no value.
  package var value: Value? { contents.withLock { $0.value } }

  /// Calls a closure with the value when the ticket is settled.
  ///
  /// If the ticket is already settled, the method calls the closure immediately. If the ticket
  /// is not settled, the thread that settles it calls the closure outside any lock.
  package func whenSettled(_ handle: @escaping @Sendable (Value?) -> Void) {
    let (isSettled, value) = contents.withLock { contents in
      if !contents.isSettled { contents.handlers.append(handle) }
      return (contents.isSettled, contents.value)
    }
    if isSettled { handle(value) }
  }

  /// Waits until the ticket is settled, even if the task is canceled.
  package func settledValue() async -> Value? {
    await withCheckedContinuation { continuation in
      whenSettled { continuation.resume(returning: $0) }
    }
  }
}

/// The dispatch of an action that is handled after `dispatch` returns.
///
/// A caller that waits for the dispatch, or for a value from the dispatch, also waits for the
/// action.
@usableFromInline
package struct DeferredDispatch: Sendable {
  private let scope: EffectScope?
  private let entry: EffectTask?
  private let ticket: DispatchTicket?
  private let sender: DispatchSender?

  /// Keeps the current dispatch open until ``resume(_:)`` is called.
  @usableFromInline
  package init() {
    scope = EffectScope.current
    entry = scope?.enter()
    ticket = DispatchTicket.current
    ticket?.hold()
    sender = DispatchSender.carried
  }

  /// Runs a closure that handles the action as part of the dispatch.
  ///
  /// After this call, the dispatch can end.
  ///
  /// Call this method once.
  @usableFromInline
  package func resume(_ handle: () -> Void) {
    DispatchTicket.withCurrent(ticket) {
      EffectScope.withCurrent(scope) { DispatchSender.carry(sender, handle) }
    }
    ticket?.release()
    entry?.leave()
  }
}
