/// A screen in a navigation state: its route, and its identity.
///
/// Two entries are equal if both their identities and their routes are equal.
public struct RouteEntry<Route: Hashable & Sendable>: Hashable, Identifiable, Sendable {
  /// The identity of the screen.
  public let id: ScreenID
  /// The route that the screen shows.
  public let route: Route

  @inlinable
  init(_ route: Route, id: ScreenID) {
    self.id = id
    self.route = route
  }
}

extension RouteEntry: Encodable where Route: Encodable {}
extension RouteEntry: Decodable where Route: Decodable {}

extension RouteEntry: CustomStringConvertible {
  /// The route and the number of the screen.
  public var description: String { "\(route) #\(id)" }
}
