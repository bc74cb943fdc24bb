/// The way in which a modal screen covers the screens below it.
public enum ModalStyle: String, Hashable, Codable, Sendable, CaseIterable {
  /// A sheet, which can contain a stack of screens.
  case sheet
  /// A cover of the whole screen, which can contain a stack of screens.
  case cover
  /// An alert or a confirmation dialog, which contains one screen.
  case alert
}

/// A modal screen in a ``RouteStack``, with the screens that were pushed onto it.
public struct RouteModal<Route: Hashable & Sendable>: Hashable, Identifiable, Sendable {
  /// The way in which the modal screen is shown.
  public let style: ModalStyle
  /// The first screen of the modal stack.
  public let root: RouteEntry<Route>
  /// The screens above the first screen.
  public let path: [RouteEntry<Route>]

  /// The identity of the first screen.
  public var id: ScreenID { root.id }
}
