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
}
