/// Functions that stop the program with a message when navigation is misused.
enum Misuse {
  /// Stops the program because two tabs are equal.
  static func repeatedTab(in tabs: [some Any]) -> Never {
    fatalError("Flux: a tab occurs twice in \(tabs). Each tab of a RouteTabs value must be different.")
  }

  /// Stops the program because the selected tab does not exist.
  static func unknownTab(_ tab: some Any, among tabs: [some Any]) -> Never {
    fatalError("Flux: the selected tab \(tab) is not one of the tabs \(tabs) of a RouteTabs value.")
  }

  /// Stops the program because a pattern has more places than parameters.
  static func missingParameter(in pattern: String) -> Never {
    fatalError(
      "Flux: the path \"\(pattern)\" has more asterisks than parameters that are components of a path.")
  }

  /// Stops the program because two slices of a store have the same type of routes.
  static func secondSlice(of routes: Any.Type) -> Never {
    fatalError(
      """
      Flux: the plug-ins of two RouteSlices of \(routes) were added to one store. An action would change \
      both slices. Give the slices different types of routes, or remove one of the plug-ins.
      """)
  }

  /// Stops the program because a store does not have the plug-in for screens.
  static func noScreens(of routes: Any.Type) -> Never {
    fatalError(
      """
      Flux: the store does not know the screens of \(routes). Add routing.screens() to the plug-ins of \
      the store, before routing.plugin.
      """)
  }

  /// Stops the program because a plug-in for screens was added twice.
  static func secondScreens(of routes: Any.Type) -> Never {
    fatalError(
      """
      Flux: a plug-in for the screens of \(routes) was added to two stores, or two of them were added to \
      one store. Call routing.screens() once for each store.
      """)
  }

  /// Stops the program because the plug-in for screens follows the plug-in that reduces.
  static func lateScreens(of routes: Any.Type) -> Never {
    fatalError(
      """
      Flux: the plug-in for the screens of \(routes) follows the plug-in that reduces their actions. Add \
      routing.screens() before routing.plugin, and before all plug-ins that record actions.
      """)
  }

  /// Stops the program because the guards of a slice were added to two stores.
  static func sharedGuard(of routes: Any.Type) -> Never {
    fatalError(
      """
      Flux: guards of \(routes) were added to two stores, or two of them were added to one store. Call \
      routing.guards(_:) once for each store, and combine several guards in one closure.
      """)
  }
}
