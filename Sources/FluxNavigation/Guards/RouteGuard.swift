public import FluxCore

/// The guard of a slice in a store, with the navigation that waits for a decision.
@usableFromInline
final class RouteGuard<Root: Sendable, Routes: NavigationState>: Sendable {
  @usableFromInline typealias Decision = RouteSlice<Root, Routes>.Decision

  /// The newest navigation, if a task decides about it.
  ///
  /// The arrival of a navigation ends the scope of the navigation that waits. The reducer refuses
  /// the action of a scope that has ended, so an older navigation never replaces a newer one.
  private let pending = Locked(PendingNavigation<EffectScope>())
  private let decide: @Sendable (RouteProposal<Routes>, Root) -> Decision
  private let slice: RouteSlice<Root, Routes>
  private let store = Locked<StoreProxy<Root>?>(nil)

  @usableFromInline
  init(
    of slice: RouteSlice<Root, Routes>,
    _ decide: @escaping @Sendable (RouteProposal<Routes>, Root) -> Decision
  ) {
    self.slice = slice
    self.decide = decide
  }

  @usableFromInline
  func connect(to store: StoreProxy<Root>) {
    let connected = store.context.attachment(RouteGuard.self) { self }
    if connected !== self || self.store.exchange(store) != nil { Misuse.sharedGuard(of: Routes.self) }
  }

  /// Receives a navigation that arrives in the chain.
  @usableFromInline
  func receive(_ action: Navigate<Routes>, _ next: @escaping DispatchFunction) {
    guard let store = store.withLock({ $0 }), let state = store.state else { return }
    guard let routes = slice.routes(in: state) else { return next(action) }
    let proposal = RouteProposal(action.change, of: routes)
    guard proposal.isNavigation else { return next(action) }
    let (number, older) = pending.withLock { $0.arrive() }
    older?.end()
    let decision = decide(proposal, state)
    if case .wait(let answer) = decision {
      let current = EffectScope.current
      let scope = EffectScope(within: store.context.scope.joined(by: current))
      guard pending.withLock({ $0.wait(number, in: scope) }) else { return }
      // From now on, the reducer notices other changes.
      if let state = store.state, slice.routes(in: state) != routes { return supersede() }
      scope.start { [self] in
        let decision = await result(of: answer, for: store, in: scope)
        if let action = decided(decision, about: action) {
          // Work that the navigation starts does not end with the next navigation.
          DispatchSender.pass(action, in: scope, current: current) { next(action) }
        }
        let old = pending.withLock { $0.finish(number) }
        withExtendedLifetime(old) {}
      }
    } else if let action = decided(decision, about: action), pending.withLock({ $0.isNewest(number) }) {
      next(action)
    }
  }

  /// A Boolean value that indicates whether a navigation waits for a decision.
  @usableFromInline var isWaiting: Bool { pending.withLock { $0.scope != nil } }

  /// Drops the navigation that waits, because something other than a navigation has changed the
  /// screens.
  ///
  /// If the caller holds the lock of the store, the older navigation is not reduced afterward.
  @usableFromInline
  func supersede() {
    guard let older = pending.withLock({ $0.arrive().1 }) else { return }
    older.performLater(older.markEnded())
  }

  /// Returns the action that a decision lets pass, or `nil`.
  private func decided(_ decision: Decision, about action: Navigate<Routes>) -> Navigate<Routes>? {
    switch decision {
    case .allow: action
    case .redirect(let change): Navigate(change)
    case .refuse, .wait: nil
    }
  }

  /// Waits for a decision that is not to wait again.
  private func result(
    of answer: @Sendable (StoreProxy<Root>) async -> Decision, for store: StoreProxy<Root>,
    in scope: EffectScope
  ) async -> Decision {
    let dispatch = store.dispatch
    let bound = store.dispatching(in: scope) { action in
      DispatchSender.dispatch(action, in: scope) { dispatch(action) }
    }
    var decision = await answer(bound)
    while case .wait(let answer) = decision { decision = await answer(bound) }
    return decision
  }
}
