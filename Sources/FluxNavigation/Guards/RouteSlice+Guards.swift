public import FluxCore

extension RouteSlice {
  /// Returns a plug-in that decides about each navigation before it is reduced.
  ///
  /// ```swift
  /// let guards = routing.guards { navigation, state in
  ///   guard navigation.entering.contains(where: { $0.route == .account }) else { return .allow }
  ///   return state.isLoggedIn ? .allow : .redirect(.push(.logIn))
  /// }
  /// ```
  ///
  /// Add the plug-in after the plug-in of ``screens(evenInRelease:report:)``, and before all
  /// plug-ins that record actions.
  ///
  /// The guard receives the actions of the slice, including `back` and `forward`. The guard does
  /// not receive actions that have no effect or only remove alerts, because views report the end of
  /// an alert or a sheet after an action may have followed. The guard also does not receive changes
  /// that a reducer makes, an undo, or a restored state.
  ///
  /// A guard that returns ``Decision/wait(_:)`` decides in a task, for example after a request.
  /// The task belongs to the dispatch, so a caller that waits for the dispatch also waits for the
  /// decision. If the guard receives another action before the decision, the task is canceled, and
  /// the older navigation is dropped, even if the guard refuses the newer action. The older
  /// navigation is also dropped if a reducer or an undo changes the screens. The store that the task
  /// receives then dispatches nothing.
  ///
  /// A slice has one guard in each store. To combine guards, call one closure from another.
  ///
  /// - Parameter decide: A closure that returns the decision. The closure is called on the
  ///   dispatching thread, outside the store's lock. The state can change between the call and
  ///   the reduction of the navigation.
  @inlinable
  public func guards(
    _ decide: @escaping @Sendable (_ navigation: RouteProposal<Routes>, _ state: Root) -> Decision
  ) -> Plugin<Root> {
    let (routeGuard, type) = (RouteGuard(of: self, decide), ActionType(Navigate<Routes>.self))
    let substate = substate
    var plugin = Plugin<Root>(
      middleware: { _, _ in
        { next in
          { action in
            guard type.matches(action) else { return next(action) }
            routeGuard.receive(action.knownToBe(Navigate<Routes>.self), next)
          }
        }
      },
      wrapReducer: { reducer in
        { state, action in
          guard routeGuard.isWaiting, !type.matches(action) else { return reducer(&state, action) }
          var before: Routes?
          substate.modify(&state) { before = $0 }
          reducer(&state, action)
          substate.modify(&state) { if $0 != before { routeGuard.supersede() } }
        }
      })
    plugin.onStoreProxy = { routeGuard.connect(to: $0) }
    plugin.firstLink = { next in next }
    return plugin
  }
}
