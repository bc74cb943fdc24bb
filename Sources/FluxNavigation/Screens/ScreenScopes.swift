import FluxAsync
public import FluxCore
import Synchronization

/// A screen that owns the scope of its work.
final class Screen<Route: Hashable & Sendable>: Sendable {
  let entry: RouteEntry<Route>
  private let hasLeft = Atomic<Bool>(false)

  init(_ entry: RouteEntry<Route>) {
    self.entry = entry
  }

  /// A Boolean value that indicates whether an action has removed the screen.
  ///
  /// The state does not contain this information, because a screen that is pushed after an undo can
  /// have the same identity.
  var isGone: Bool { hasLeft.load(ordering: .acquiring) }

  func leave() {
    hasLeft.store(true, ordering: .releasing)
  }
}

/// The scopes of the screens of a store.
///
/// A scope is created when the screen is used for the first time, and ends when the screen is
/// gone. A screen is marked as gone under the lock of the store, in the reduction that removes
/// it, so no action of the screen is reduced afterward. The scope ends before the dispatch of
/// that action returns.
@usableFromInline
final class ScreenScopes<Routes: NavigationState>: Sendable {
  @usableFromInline typealias Report = @Sendable (DroppedScreenAction) -> Void

  private struct Contents {
    var scopes: [ScreenID: (screen: Screen<Routes.Route>, scope: EffectScope)] = [:]
    /// The scopes of screens that are gone, which have not ended.
    var ending: [EffectScope] = []
    /// The dropped actions that have not been reported.
    var dropped: [DroppedScreenAction] = []
  }

  private let contents = Locked(Contents())
  /// A Boolean value that indicates whether a scope must end, or a dropped action must be reported.
  private let isUnsettled = Atomic<Bool>(false)
  private let hasStore = Atomic<Bool>(false)
  private let report: Report?

  @usableFromInline
  init(evenInRelease: Bool, _ report: Report?) {
    #if DEBUG
      self.report = report
    #else
      self.report = evenInRelease ? report : nil
    #endif
  }

  /// Returns the scopes of a store.
  static func of(_ store: ActionContext) -> ScreenScopes {
    store.attachment(ScreenScopes.self) {
      // A store that was released keeps no objects.
      if !store.hasStoreGone { Misuse.noScreens(of: Routes.self) }
      return ScreenScopes(evenInRelease: false, nil)
    }
  }

  /// Connects the scopes to their store.
  @usableFromInline
  func connect(to store: ActionContext) {
    let connected = store.attachment(ScreenScopes.self) { self }
    if connected !== self || hasStore.exchange(true, ordering: .relaxed) {
      Misuse.secondScreens(of: Routes.self)
    }
  }

  /// Returns the scope of a screen, or `nil` if the screen is gone.
  ///
  /// - Parameters:
  ///   - id: The identity of the screen.
  ///   - routes: A closure that returns the newest navigation state.
  ///   - store: A context of the store.
  func scope(of id: ScreenID, reading routes: () -> Routes?, in store: ActionContext) -> EffectScope? {
    guard let route = routes()?[id] else { return nil }
    let (screen, scope) = contents.withLock { contents in
      if let known = contents.scopes[id], known.screen.entry.route == route { return known }
      let screen = Screen(RouteEntry(route, id: id))
      let new = (screen, EffectScope(within: store.scope, for: screen))
      contents.scopes[id] = new
      return new
    }
    // The screen may have been removed before the scope was added. Later removals mark the screen.
    if routes()?[id] != route { screen.leave() }
    return screen.isGone ? nil : scope
  }

  /// Returns a Boolean value that indicates whether an action must be dropped, because it belongs
  /// to a screen that is gone.
  ///
  /// The events of requests are not dropped.
  @usableFromInline
  func refuses(_ action: any Action) -> Bool {
    guard let scope = EffectScope.current, let screen = scope.owner(of: Screen<Routes.Route>.self),
      screen.isGone, !(action is any RequestEvent)
    else { return false }
    note(action, of: screen)
    return true
  }

  /// Marks the screens that a new navigation state does not contain, under the lock of the store.
  @usableFromInline
  func changed(to routes: Routes) {
    contents.withLock { contents in
      for (id, known) in contents.scopes where routes[id] != known.screen.entry.route {
        known.screen.leave()
        contents.ending.append(known.scope)
        contents.scopes[id] = nil
      }
      if !contents.ending.isEmpty { isUnsettled.store(true, ordering: .releasing) }
    }
  }

  /// Records that an action was dropped.
  private func note(_ action: any Action, of screen: Screen<Routes.Route>) {
    guard report != nil else { return }
    let dropped = DroppedScreenAction(
      action: action, screen: screen.entry.id, route: "\(screen.entry.route)")
    contents.withLock { $0.dropped.append(dropped) }
    isUnsettled.store(true, ordering: .releasing)
  }

  /// Reports that an action was dropped because its scope has ended.
  func droppedInEnded(_ scope: EffectScope, _ action: any Action) {
    guard let screen = scope.owner(of: Screen<Routes.Route>.self) else { return }
    note(action, of: screen)
    settle()
  }

  /// Ends the scopes of screens that are gone, and reports dropped actions, outside the lock of the
  /// store.
  @usableFromInline
  func settle() {
    guard isUnsettled.exchange(false, ordering: .acquiring) else { return }
    let (ending, dropped) = contents.withLock { contents in
      defer { (contents.ending, contents.dropped) = ([], []) }
      return (contents.ending, contents.dropped)
    }
    for scope in ending { scope.end() }
    if let report { for action in dropped { report(action) } }
  }
}
