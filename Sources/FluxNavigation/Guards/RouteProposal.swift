/// A navigation that a guard allows, refuses, or redirects.
public struct RouteProposal<Routes: NavigationState>: Sendable {
  /// The change of the action.
  public let change: Routes.Change
  /// The navigation state before the change.
  public let before: Routes
  /// The navigation state that the change would produce.
  public let after: Routes

  init(_ change: Routes.Change, of routes: Routes) {
    self.change = change
    before = routes
    var after = routes
    after.apply(change)
    self.after = after
  }

  /// A Boolean value that indicates whether the change has another effect than to remove alerts.
  ///
  /// A view reports that it has closed an alert after the button of the alert may have navigated.
  var isNavigation: Bool {
    guard after != before else { return false }
    let leaving = leaving
    guard !leaving.isEmpty, entering.isEmpty else { return true }
    let alerts = before.stack.modals.filter { $0.style == .alert }.map(\.id)
    return !leaving.allSatisfy { alerts.contains($0.id) }
  }

  /// The screens that the change adds, in the order of the navigation state.
  ///
  /// The selection of a tab adds no screen. To protect the screens of a tab, compare the top screen
  /// of ``after``.
  public var entering: [RouteEntry<Routes.Route>] { after.entries.filter { before[$0.id] != $0.route } }

  /// The screens that the change removes, in the order of the navigation state.
  public var leaving: [RouteEntry<Routes.Route>] { before.entries.filter { after[$0.id] != $0.route } }
}
