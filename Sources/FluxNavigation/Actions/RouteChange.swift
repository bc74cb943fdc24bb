/// A change of a ``RouteStack``, as a value.
public enum RouteChange<Route: Hashable & Sendable>: Hashable, Sendable {
  /// Adds a screen on top of the front.
  case push(Route)
  /// Removes the top screen.
  case pop
  /// Removes all screens above a screen.
  case popTo(ScreenID)
  /// Removes all screens except for the root.
  case popToRoot
  /// Replaces the top screen with a new screen.
  case replaceTop(Route)
  /// Shows a modal screen above the top screen.
  case present(Route, as: ModalStyle)
  /// Removes the modal that begins with a screen, or the highest modal.
  case dismiss(ScreenID?)
  /// Replaces the path, and dismisses all modals.
  case setPath([Route])
  /// Replaces all screens with a new root.
  case reset(root: Route)
  /// Returns to the place before the newest change.
  case back
  /// Returns to the place from which the last return came.
  case forward
}

extension RouteChange: Encodable where Route: Encodable {}
extension RouteChange: Decodable where Route: Decodable {}

extension RouteChange: CustomStringConvertible {
  /// The name of the change, with the route.
  public var description: String {
    switch self {
    case .push(let route): "push \(route)"
    case .pop: "pop"
    case .popTo(let id): "pop to #\(id)"
    case .popToRoot: "pop to the root"
    case .replaceTop(let route): "replace the top with \(route)"
    case .present(let route, let style): "present \(route) as \(style)"
    case .dismiss(let id): id.map { "dismiss #\($0)" } ?? "dismiss"
    case .setPath(let routes): "set the path \(routes)"
    case .reset(let root): "reset to \(root)"
    case .back: "back"
    case .forward: "forward"
    }
  }
}

/// A change of a ``RouteTabs`` value, as a value.
public enum TabChange<Tab: Hashable & Sendable, Route: Hashable & Sendable>: Hashable, Sendable {
  /// Selects a tab.
  case select(Tab)
  /// Selects a tab, and replaces its path. All modals of the two tabs are dismissed.
  case open([Route], in: Tab)
  /// Changes the stack of a tab, or of the selected tab.
  ///
  /// If the tab is `nil`, ``RouteChange/back`` and ``RouteChange/forward`` return to places of all
  /// tabs. If the change names a tab, they have no effect, because the stack of a tab keeps no
  /// places.
  case stack(RouteChange<Route>, in: Tab?)
}

extension TabChange: Encodable where Tab: Encodable, Route: Encodable {}
extension TabChange: Decodable where Tab: Decodable, Route: Decodable {}

extension TabChange: CustomStringConvertible {
  /// The name of the change, with the tab.
  public var description: String {
    switch self {
    case .select(let tab): "select \(tab)"
    case .open(let routes, let tab): "open \(routes) in \(tab)"
    case .stack(let change, let tab): tab.map { "\(change) in \($0)" } ?? "\(change)"
    }
  }
}
