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
  /// The reducer adds and changes the states. The ``plugin`` removes states before and after it
  /// passes each action to the reducer, so the reducer never adds the state of a screen that does
  /// not exist. An action that arrives after its screen is gone therefore changes nothing in the
  /// dictionary. If a plug-in in front of this one removes screens, for example a history of the
  /// screens alone, their states are removed before the next action is reduced.
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
      @Sendable func clean(_ state: inout Root) {
        var routes: Routes?
        substate.modify(&state) { routes = $0 }
        guard let routes else { return }
        for cleanup in cleanups { cleanup(&state, routes) }
      }
      return { state, action in
        // A plug-in in front of this one, such as a history of the screens alone, can have removed
        // screens. A new screen can have the identity of a removed screen.
        clean(&state)
        reducer(&state, action)
        clean(&state)
      }
    }
    return plugin
  }
}
