/// The dispatch to which an action belongs, for an action that is handled after `dispatch` returns.
///
/// A caller that waits for the dispatch, or for a value from it, also waits for the action.
@usableFromInline
package struct DeferredDispatch: Sendable {
  private let scope: EffectScope?
  private let entry: EffectTask?
  private let ticket: DispatchTicket?

  /// Keeps the dispatch that is under way here open, until ``resume(_:)``.
  @usableFromInline
  package init() {
    scope = EffectScope.current
    entry = scope?.enter()
    ticket = DispatchTicket.current
    ticket?.hold()
  }

  /// Runs a closure that handles the action as part of the dispatch, which can end afterward.
  ///
  /// Call this method once.
  @usableFromInline
  package func resume(_ handle: () -> Void) {
    DispatchTicket.$current.withValue(ticket) {
      EffectScope.$current.withValue(scope, operation: handle)
    }
    ticket?.release()
    if let scope, let entry { scope.leave(entry) }
  }
}
