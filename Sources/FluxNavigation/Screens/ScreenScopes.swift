import FluxCore

/// The scopes of the screens of a store, without a lock.
///
/// A screen receives a scope when its actions are dispatched for the first time. The scope ends in
/// the reduction that removes the screen, so that nothing that the scope dispatches is reduced
/// afterward.
struct ScreenScopes<Route: Hashable & Sendable, Scope: Sendable>: Sendable {
  private struct Screen: Sendable {
    let route: Route
    let scope: Scope
  }

  private var screens: [ScreenID: Screen] = [:]

  /// The number of screens that have a scope.
  var count: Int { screens.count }

  /// Returns the scope of a screen that exists.
  ///
  /// - Parameters:
  ///   - entry: The screen, which the current state contains.
  ///   - makeScope: A closure that creates the scope.
  mutating func scope(of entry: RouteEntry<Route>, _ makeScope: () -> Scope) -> Scope {
    if let screen = screens[entry.id] { return screen.scope }
    let scope = makeScope()
    screens[entry.id] = Screen(route: entry.route, scope: scope)
    return scope
  }

  /// Removes the screens that do not exist anymore, and returns their scopes, which the caller
  /// ends.
  ///
  /// An undo and a push can give the identity of a screen to another screen. A screen with another
  /// route is therefore another screen.
  ///
  /// - Parameter route: A closure that returns the current route of a screen, or `nil`.
  mutating func removeGone(route: (ScreenID) -> Route?) -> [Scope] {
    let gone = screens.filter { id, screen in route(id) != screen.route }
    for id in gone.keys { screens[id] = nil }
    return gone.values.map(\.scope)
  }
}
