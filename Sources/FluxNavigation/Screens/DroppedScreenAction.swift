public import FluxCore

/// An action that was dropped because the screen that dispatched it is gone.
public struct DroppedScreenAction: Sendable {
  /// The action.
  public let action: any Action
  /// The identity of the screen.
  public let screen: ScreenID
  /// The description of the screen's route.
  public let route: String
}

extension DroppedScreenAction: CustomStringConvertible {
  /// A sentence that names the type of the action and the screen.
  public var description: String {
    "\(type(of: action)) was dropped because the screen \(route) (#\(screen)) is gone."
  }
}
