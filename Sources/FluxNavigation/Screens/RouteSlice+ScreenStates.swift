public import FluxCore

extension RouteSlice {
  /// Returns a copy of the slice that removes the state of a screen when the screen is gone.
  ///
  /// ```swift
  /// struct AppState: FluxState {
  ///   var routes = RouteStack(root: Route.list)
  ///   var drafts: [ScreenID: String] = [:]
  /// }
  ///
  /// let routing = RouteSlice(at: \AppState.routes).screenStates(in: \.drafts)
  /// ```
  ///
  /// The reducer adds and changes the states. The ``plugin`` removes the states after each action,
  /// so the state never contains the state of a screen that does not exist. An action that
  /// arrives after its screen is gone therefore changes nothing in the dictionary.
  ///
  /// A slice can have several dictionaries. The removal takes O(n · m) time for each action, for n
  /// states and m screens.
  ///
  /// - Parameter path: The key path of the dictionary in the state.
  public func screenStates<Value>(
    in path: any WritableKeyPath<Root, [ScreenID: Value]> & Sendable
  ) -> RouteSlice {
    var slice = self
    let reader = PartReader(path)
    slice.cleanups.append { root, routes in
      var hasGone = false
      reader(reading: root) { states in hasGone = !states.pointee.keys.allSatisfy(routes.contains) }
      if hasGone { root[keyPath: path] = root[keyPath: path].filter { routes.contains($0.key) } }
    }
    return slice
  }

  /// Returns a copy of a plug-in whose reducer also removes the states of screens that are gone.
  @usableFromInline
  func cleaning(after plugin: Plugin<Root>) -> Plugin<Root> {
    let (substate, cleanups, wrap) = (substate, cleanups, plugin.wrapReducer)
    var plugin = plugin
    plugin.wrapReducer = { reducer in
      let reducer = wrap?(reducer) ?? reducer
      return { state, action in
        reducer(&state, action)
        var routes: Routes?
        substate.modify(&state) { routes = $0 }
        guard let routes else { return }
        for cleanup in cleanups { cleanup(&state, routes) }
      }
    }
    return plugin
  }
}
