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
    if self.store.exchange(store) != nil { Misuse.sharedGuard(of: Routes.self) }
  }

  /// Receives a navigation that arrives in the chain.
  @usableFromInline
  func receive(_ action: Navigate<Routes>, _ next: @escaping DispatchFunction) {
    let (number, older) = pending.withLock { $0.arrive() }
    older?.end()
    guard let store = store.withLock({ $0 }), let state = store.state else { return }
    guard let routes = slice.routes(in: state) else { return next(action) }
    switch decide(RouteProposal(action.change, of: routes), state) {
    case .allow: next(action)
    case .refuse: return
    case .redirect(let change): next(Navigate<Routes>(change))
    case .wait(let answer):
      let scope = EffectScope(within: store.context.scope.joinedByCurrent)
      guard pending.withLock({ $0.wait(number, in: scope) }) else { return }
      scope.start { [self] in
        await wait(for: answer, about: action, in: scope, of: store, next)
        let old = pending.withLock { $0.finish(number) }
        withExtendedLifetime(old) {}
      }
    }
  }

  private func wait(
    for answer: @Sendable (StoreProxy<Root>) async -> Decision, about action: Navigate<Routes>,
    in scope: EffectScope, of store: StoreProxy<Root>, _ next: DispatchFunction
  ) async {
    var decision = await answer(store)
    while case .wait(let answer) = decision { decision = await answer(store) }
    switch decision {
    case .allow: DispatchSender.passOn(in: scope) { next(action) }
    case .redirect(let change): DispatchSender.passOn(in: scope) { next(Navigate<Routes>(change)) }
    case .refuse, .wait: break
    }
  }
}
