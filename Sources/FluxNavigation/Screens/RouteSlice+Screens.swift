public import FluxCore
public import FluxMiddleware

extension RouteSlice {
  /// Returns the plug-in that ends the work of a screen when the screen is gone.
  ///
  /// Add the plug-in before all plug-ins that change the state or record actions:
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer, plugins: [routing.screens(), history.plugin, routing.plugin],
  ///   state: AppState())
  /// ```
  ///
  /// The actions that a screen dispatches with ``FluxCore/StateSource/screen(_:of:)``, and their
  /// work, belong to the screen. When an action removes the screen, including an undo, the work
  /// is canceled before the dispatch of that action returns. From the reduction of that action on,
  /// the state does not change by actions of the screen:
  ///
  /// - An action that the screen dispatches is dropped, and reported.
  /// - An action that the canceled work dispatches is dropped without a report, as for all
  ///   canceled work.
  /// - The events of requests are reduced nevertheless, so that a state that waits for the end of
  ///   a request does not wait forever.
  ///
  /// If a middleware of the app passes an action on after its dispatch has returned, the action is
  /// not dropped. `debounce` and `throttle` drop the actions of screens that are gone.
  ///
  /// The plug-in takes O(n · m) time for each action, for n screens that have dispatched actions
  /// and m screens in the state.
  ///
  /// - Parameters:
  ///   - evenInRelease: A Boolean value that indicates whether a release build of this package
  ///     reports dropped actions.
  ///   - report: A closure that receives the dropped actions. The closure is called on the
  ///     dispatching thread, outside the store's lock. By default, the closure writes the actions
  ///     to standard error.
  @inlinable
  public func screens(
    evenInRelease: Bool = false,
    report: @escaping @Sendable (DroppedScreenAction) -> Void = { LogSink.standardError.write("\($0)") }
  ) -> Plugin<Root> {
    let (substate, tracker) = (substate, ScreenTracker<Routes>(evenInRelease: evenInRelease, report))
    var plugin = Plugin<Root>(
      wrapReducer: { reducer in
        { state, action in
          reducer(&state, action)
          substate.modify(&state) { tracker.reduced(to: $0) }
        }
      },
      onStoreStart: { tracker.connect(to: $0) })
    plugin.firstLink = { next in { action in tracker.dispatch { next(action) } } }
    return plugin
  }
}

extension StateSource {
  /// Returns a proxy whose actions belong to a screen, or `nil` if the screen is gone.
  ///
  /// ```swift
  /// store.screen(entry.id, of: routing)?.dispatch(LoadReviews(film: 7))
  /// ```
  ///
  /// The actions that the proxy dispatches, and their work, end with the screen. Subscriptions do
  /// not end with the screen. If the store does not have the plug-in of
  /// ``/FluxNavigation/RouteSlice/screens(evenInRelease:report:)``, the program stops with a
  /// message.
  ///
  /// - Parameters:
  ///   - id: The identity of the screen.
  ///   - slice: The slice that contains the screen.
  public func screen<Routes>(
    _ id: ScreenID, of slice: RouteSlice<State, Routes>
  ) -> StoreProxy<State>? {
    let proxy = _proxy
    let store = proxy.context
    guard let tracker = ScreenTracker<Routes>.of(store) else { return nil }
    var found: (screen: RouteEntry<Routes.Route>, scope: EffectScope)?
    // No action can remove the screen between the look-up and the creation of its scope.
    proxy.borrowState { state in
      guard let route = slice.routes(in: state)?[id] else { return }
      let screen = RouteEntry(route, id: id)
      found = (screen, tracker.scope(of: screen, in: store))
    }
    guard let (screen, scope) = found else { return nil }
    let refusal: @Sendable (any Action) -> Void = { tracker.dropped($0, of: screen, in: store) }
    return proxy.dispatching(in: scope) { action in
      DispatchSender.dispatch(action, in: scope, refusal: refusal) { proxy.dispatch(action) }
    }
  }
}
