/// The places of an app as a value: a ``RouteStack``, or ``RouteTabs``.
///
/// Your own types do not conform to this protocol.
public protocol NavigationState: Hashable, Sendable {
  /// The type of a place.
  associatedtype Route: Hashable & Sendable
  /// A change of the value, as a value.
  associatedtype Change: Hashable, Sendable, CustomStringConvertible

  /// The stack that contains the screen that the user sees.
  var stack: RouteStack<Route> { get }

  /// All screens, including those in tabs that are not selected.
  var entries: [RouteEntry<Route>] { get }

  /// Returns a Boolean value that indicates whether a screen exists.
  func contains(_ id: ScreenID) -> Bool

  /// The route of a screen, or `nil` if the screen does not exist.
  subscript(id: ScreenID) -> Route? { get }

  /// Makes a change.
  mutating func apply(_ change: Change)

  /// Returns a change of the stack that contains the screen that the user sees.
  static func change(_ change: RouteChange<Route>) -> Change
}

extension RouteStack: NavigationState {
  /// The stack itself.
  @inlinable
  public var stack: RouteStack { self }

  /// Makes a change.
  @inlinable
  public mutating func apply(_ change: RouteChange<Route>) {
    switch change {
    case .push(let route): push(route)
    case .pop: pop()
    case .popTo(let id): pop(to: id)
    case .popToRoot: popToRoot()
    case .replaceTop(let route): replaceTop(with: route)
    case .present(let route, let style): present(route, as: style)
    case .dismiss(let id): if let id { dismiss(id) } else { dismiss() }
    case .setPath(let routes): setPath(routes)
    case .reset(let root): reset(root: root)
    case .back: back()
    case .forward: forward()
    }
  }

  /// Returns the change.
  @inlinable
  public static func change(_ change: RouteChange<Route>) -> RouteChange<Route> { change }
}

extension RouteTabs: NavigationState {
  /// The screens of all tabs, in the order of the tabs.
  public var entries: [RouteEntry<Route>] { stacks.flatMap(\.entries) }

  /// Returns a Boolean value that indicates whether a screen exists in one of the tabs.
  public func contains(_ id: ScreenID) -> Bool { tab(of: id) != nil }

  /// The route of a screen in one of the tabs, or `nil` if the screen does not exist.
  public subscript(id: ScreenID) -> Route? {
    for stack in stacks { if let route = stack[id] { return route } }
    return nil
  }

  /// Makes a change.
  public mutating func apply(_ change: TabChange<Tab, Route>) {
    switch change {
    case .select(let tab): select(tab)
    case .open(let routes, let tab): open(routes, in: tab)
    case .stack(.back, nil): back()
    case .stack(.forward, nil): forward()
    case .stack(let change, let tab): self.change(tab ?? self.tab(for: change)) { $0.apply(change) }
    }
  }

  /// Returns the tab whose stack contains the screen that a change names, or the selected tab.
  private func tab(for change: RouteChange<Route>) -> Tab {
    switch change {
    case .popTo(let id), .dismiss(let id?): tab(of: id) ?? selected
    default: selected
    }
  }

  /// Returns a change of the stack of the selected tab.
  @inlinable
  public static func change(_ change: RouteChange<Route>) -> TabChange<Tab, Route> { .stack(change, in: nil) }
}
