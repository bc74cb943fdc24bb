public import FluxCore
import Synchronization

/// The plug-in of a store that ends the work of screens that are gone.
///
/// The scope of a screen is created, and marked as ended, under the lock of the store. The steps
/// that cancel the work follow outside the lock, before the dispatch of the action that removed
/// the screen returns.
@usableFromInline
final class ScreenTracker<Routes: NavigationState>: Sendable {
  @usableFromInline typealias Report = @Sendable (DroppedScreenAction) -> Void

  /// The steps that cancel the work of a screen, which a thread performs outside the lock.
  private struct Ending: Sendable {
    let thread: ThreadIdentity
    /// The scope, which is not released under the lock.
    let scope: EffectScope
    let errands: Errands
  }

  private struct Contents: Sendable {
    var scopes = ScreenScopes<Routes.Route, EffectScope>()
    /// The threads between the first link of the chain and its end.
    var dispatching = DispatchingThreads()
    var endings: [Ending] = []

    mutating func takeEndings(of thread: ThreadIdentity) -> [Ending] {
      guard !endings.isEmpty else { return [] }
      defer { endings.removeAll { $0.thread == thread } }
      return endings.filter { $0.thread == thread }
    }
  }

  private let contents = Locked(Contents())
  private let hasStore = Atomic(false)
  private let report: Report?

  @usableFromInline
  init(evenInRelease: Bool, _ report: @escaping Report) {
    #if DEBUG
      self.report = report
    #else
      self.report = evenInRelease ? report : nil
    #endif
  }

  /// Connects the tracker to its store.
  @usableFromInline
  func connect(to store: ActionContext) {
    let connected = store.attachment(ScreenTracker.self) { self }
    if connected !== self || hasStore.exchange(true, ordering: .relaxed) {
      Misuse.secondScreens(of: Routes.self)
    }
    if SliceOfStore<Routes>.isAdded(to: store) { Misuse.lateScreens(of: Routes.self) }
  }

  /// Returns the tracker of a store, or `nil` if the store has been released.
  static func of(_ store: ActionContext) -> ScreenTracker? {
    // A store that was released has no attachments.
    if store.hasStoreGone { return nil }
    let tracker = store.attachment(ScreenTracker.self) { ScreenTracker(evenInRelease: false) { _ in } }
    if tracker.hasStore.load(ordering: .relaxed) { return tracker }
    if store.hasStoreGone { return nil }
    Misuse.noScreens(of: Routes.self)
  }

  // MARK: The chain

  /// Passes an action to the rest of the chain, and then cancels the work of the screens that the
  /// action removed.
  @usableFromInline
  func dispatch(_ next: () -> Void) {
    let thread = ThreadIdentity.current
    contents.withLock { $0.dispatching.insert(thread) }
    next()
    let endings = contents.withLock { contents in
      contents.dispatching.remove(thread)
      return contents.takeEndings(of: thread)
    }
    for ending in endings { ending.errands.perform() }
  }

  /// Marks the scopes of the screens that a new state does not contain as ended, under the lock of
  /// the store.
  @usableFromInline
  func reduced(to routes: Routes) {
    let thread = ThreadIdentity.current
    let late = contents.withLock { contents -> [Ending] in
      guard contents.scopes.count > 0 else { return [] }
      let gone = contents.scopes.removeGone { routes[$0] }
      for scope in gone {
        contents.endings.append(Ending(thread: thread, scope: scope, errands: scope.markEnded()))
      }
      // A middleware passed the action on after its dispatch, so the first link does not follow.
      return contents.dispatching.contains(thread) ? [] : contents.takeEndings(of: thread)
    }
    for ending in late { ending.scope.performLater(ending.errands) }
  }

  // MARK: Screens

  /// Returns the scope of a screen in the current state, under the lock of the store.
  func scope(of screen: RouteEntry<Routes.Route>, in store: ActionContext) -> EffectScope {
    contents.withLock { $0.scopes.scope(of: screen) { EffectScope(within: store.scope) } }
  }

  /// Reports that an action was dropped because its screen is gone.
  func dropped(_ action: any Action, of screen: RouteEntry<Routes.Route>, in store: ActionContext) {
    guard let report, !store.scope.hasEnded else { return }
    report(DroppedScreenAction(action: action, screen: screen.id, route: "\(screen.route)"))
  }
}
