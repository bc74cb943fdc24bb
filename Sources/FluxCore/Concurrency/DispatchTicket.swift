/// A ticket that travels with a dispatch, for a caller that waits for a value from the place where
/// its action is handled.
///
/// The first value that is claimed settles the ticket. If no value is claimed, the end of the
/// dispatch settles it: the return of `dispatch`, or the end of the last deferral, whichever is
/// later. Safe from any thread.
package final class DispatchTicket: Sendable {
  private struct Contents: Sendable {
    /// The dispatch itself, and each deferred action, hold the ticket.
    var holds = 1
    var isSettled = false
    var value: (any Sendable)?
    var handlers: [@Sendable ((any Sendable)?) -> Void] = []

    /// Settles the ticket once, and returns the closures to call.
    mutating func settle(_ value: (any Sendable)?) -> [@Sendable ((any Sendable)?) -> Void] {
      guard !isSettled else { return [] }
      isSettled = true
      self.value = value
      defer { handlers = [] }
      return handlers
    }
  }

  /// The ticket of the dispatch that is under way here.
  @TaskLocal package static var current: DispatchTicket?

  private let isMeant: @Sendable (any Action, ActionContext) -> Bool
  private let contents = Locked(Contents())

  /// Creates a ticket for a dispatch that is about to begin.
  ///
  /// - Parameter isMeant: Returns whether an action, in a store, is the one that the caller waits for.
  ///   By default, no action is.
  package init(
    isMeant: @escaping @Sendable (_ action: any Action, _ context: ActionContext) -> Bool = { _, _ in false }
  ) {
    self.isMeant = isMeant
  }

  /// Runs a closure that dispatches with the ticket.
  package func carry(_ dispatch: () -> Void) {
    DispatchTicket.$current.withValue(self, operation: dispatch)
    release()
  }

  // MARK: Deferring

  /// Keeps the ticket open for an action that is handled later.
  package func hold() {
    contents.withLock { $0.holds += 1 }
  }

  /// Ends a hold; the last one settles the ticket without a value.
  package func release() {
    let handlers = contents.withLock { contents in
      contents.holds -= 1
      return contents.holds == 0 ? contents.settle(nil) : []
    }
    for handler in handlers { handler(nil) }
  }

  // MARK: The value

  /// Settles the ticket with a value, if the action is the one that the caller waits for and the
  /// ticket is not settled.
  package func claim(_ value: any Sendable, for action: any Action, in context: ActionContext) {
    guard isMeant(action, context) else { return }
    claim(value)
  }

  /// Settles the ticket with a value, unless it is settled.
  package func claim(_ value: any Sendable) {
    for handler in contents.withLock({ $0.settle(value) }) { handler(value) }
  }

  /// A Boolean value that indicates whether the ticket has a value, or can no longer receive one.
  package var isSettled: Bool { contents.withLock { $0.isSettled } }

  /// The value, if one was claimed.
  package var value: (any Sendable)? { contents.withLock { $0.value } }

  /// Calls a closure with the value once the ticket is settled: immediately if it is settled,
  /// otherwise on the thread that settles it, outside any lock.
  package func whenSettled(_ handle: @escaping @Sendable ((any Sendable)?) -> Void) {
    let (isSettled, value) = contents.withLock { contents in
      if !contents.isSettled { contents.handlers.append(handle) }
      return (contents.isSettled, contents.value)
    }
    if isSettled { handle(value) }
  }

  /// Waits until the ticket is settled, whether or not the task is canceled.
  package func settledValue() async -> (any Sendable)? {
    await withCheckedContinuation { continuation in
      whenSettled { continuation.resume(returning: $0) }
    }
  }
}
