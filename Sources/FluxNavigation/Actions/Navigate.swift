public import FluxCore

/// An action that changes the navigation state of a ``RouteSlice``.
///
/// The methods of the slice create the actions:
///
/// ```swift
/// store.dispatch(routing.push(.film(7)))
/// ```
///
/// If the routes are `Codable`, register the type to record, save, or send the actions:
///
/// ```swift
/// registry.register(Navigate<RouteStack<Route>>.self, as: "Navigate")
/// ```
public struct Navigate<Routes: NavigationState>: Action, Hashable {
  /// The change.
  public let change: Routes.Change

  /// Creates an action that makes a change.
  @inlinable
  public init(_ change: Routes.Change) {
    self.change = change
  }
}

extension Navigate: Encodable where Routes.Change: Encodable {}
extension Navigate: Decodable where Routes.Change: Decodable {}

extension Navigate: CustomStringConvertible {
  /// The change.
  public var description: String { "Navigate(\(change))" }
}
