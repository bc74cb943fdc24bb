/// The code that uses a proxy, such as one attempt of the work of an action.
///
/// A proxy dispatches through its user, so a user can drop the actions of work that was canceled.
/// Errors of missing services name the user.
@usableFromInline
package protocol ProxyUser: AnyObject, Sendable {
  /// The code that looks up services, or `nil` if errors of missing services name no action.
  var serviceUser: ServiceUser? { get }

  /// The scope that the dispatches of the user belong to, or `nil` for the scope of the store.
  var scopeOfDispatches: EffectScope? { get }

  /// Dispatches an action in the store of a context.
  ///
  /// The default dispatches the action through the store's whole chain.
  func dispatch(_ action: any Action, in context: ActionContext)
}

extension ProxyUser {
  @usableFromInline package var scopeOfDispatches: EffectScope? { nil }

  @usableFromInline
  package func dispatch(_ action: any Action, in context: ActionContext) {
    context.host.functions.dispatch(context.host, action)
  }
}

/// A user that dispatches through the store's whole chain.
@usableFromInline
package final class NamedProxyUser: ProxyUser {
  @usableFromInline package let serviceUser: ServiceUser?

  package init(_ serviceUser: ServiceUser) {
    self.serviceUser = serviceUser
  }
}

/// A user that dispatches through a closure.
final class DispatchingProxyUser: ProxyUser {
  let serviceUser: ServiceUser?
  let scopeOfDispatches: EffectScope?
  private let dispatch: DispatchFunction

  init(_ serviceUser: ServiceUser?, in scope: EffectScope?, dispatch: @escaping DispatchFunction) {
    self.serviceUser = serviceUser
    scopeOfDispatches = scope
    self.dispatch = dispatch
  }

  func dispatch(_ action: any Action, in context: ActionContext) {
    dispatch(action)
  }
}
