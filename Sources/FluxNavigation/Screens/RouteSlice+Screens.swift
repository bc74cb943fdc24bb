public import FluxCore

extension RouteSlice {
  /// Returns the plug-in that ends the work of a screen when the screen is gone.
  ///
  /// Add the plug-in in front of all plug-ins that record or reduce actions:
  ///
  /// ```swift
  /// let store = Store(
  ///   reducer: appReducer, plugins: [routing.screens(), history.plugin, routing.plugin],
  ///   state: AppState())
  /// ```
  ///
  /// The actions that a screen dispatches with ``FluxCore/StateSource/screen(_:of:)``, and their
  /// work, belong to the screen. When an action removes the screen, including an undo, the work
  /// is canceled before the dispatch of that action returns. An action of the screen that arrives
  /// later is dropped. The events of requests are reduced nevertheless, so that a state that
  /// waits for the end of a request does not wait forever.
  ///
  /// - Parameters:
  ///   - evenInRelease: A Boolean value that indicates whether `report` is called in a release
  ///     build of this package.
  ///   - report: A closure that receives the dropped actions during development, outside the lock
  ///     of the store. The default ignores them.
  @inlinable
  public func screens(
    evenInRelease: Bool = false, report: (@Sendable (DroppedScreenAction) -> Void)? = nil
  ) -> Plugin<Root> {
    let scopes = ScreenScopes<Routes>(evenInRelease: evenInRelease, report)
    let reader = reader
    return Plugin(
      middleware: { _, _ in
        { next in
          { action in
            next(action)
            scopes.settle()
          }
        }
      },
      wrapReducer: { reducer in
        { state, action in
          if scopes.refuses(action) { return }
          let version = reader.version(in: state)
          reducer(&state, action)
          if reader.version(in: state) != version {
            reader(reading: state) { routes in scopes.changed(to: routes.pointee) }
          }
        }
      },
      onStoreStart: { scopes.connect(to: $0) })
  }
}

extension PartReader where Part: NavigationState {
  /// Returns the version of the navigation state in a state.
  @inlinable @inline(__always)
  func version(in state: Whole) -> UInt64 {
    var version: UInt64 = 0
    self(reading: state) { version = $0.pointee._version }
    return version
  }
}

extension StateSource {
  /// Returns a proxy whose actions belong to a screen, or `nil` if the screen is gone.
  ///
  /// ```swift
  /// store.screen(entry.id, of: routing)?.dispatch(LoadReviews(film: 7))
  /// ```
  ///
  /// The actions and their work end with the screen. The store requires the plug-in of
  /// ``/FluxNavigation/RouteSlice/screens(evenInRelease:report:)``; without it, the program stops
  /// with a message.
  ///
  /// - Parameters:
  ///   - id: The identity of the screen.
  ///   - slice: The slice that contains the screen.
  public func screen<Routes>(
    _ id: ScreenID, of slice: RouteSlice<State, Routes>
  ) -> StoreProxy<State>? {
    let store = _proxy
    let scopes = ScreenScopes<Routes>.of(store.context)
    let reader = slice.reader
    let scope = scopes.scope(
      of: id,
      reading: {
        guard let state = store.state else { return nil }
        var routes: Routes?
        reader(reading: state) { routes = $0.pointee }
        return routes
      }, in: store.context)
    guard let scope else { return nil }
    return store.dispatching(in: scope) { action in
      var isDropped = true
      scope.whileDispatching {
        isDropped = false
        scope.gather { store.dispatch(action) }
      }
      if isDropped { scopes.droppedInEnded(scope, action) }
    }
  }
}
