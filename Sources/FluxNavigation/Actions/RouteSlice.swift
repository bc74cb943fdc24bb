public import FluxCore

/// The description of a navigation state in a store: its location in the state, its actions, and
/// the plug-in that reduces them.
///
/// ```swift
/// struct AppState: FluxState {
///   var routes = RouteStack(root: Route.list)
/// }
///
/// let routing = RouteSlice(at: \AppState.routes)
/// let store = Store(reducer: appReducer, plugins: [routing.plugin], state: AppState())
/// store.dispatch(routing.push(.film(7)))
/// ```
///
/// Two slices in one store, for example for two windows, need routes of different types, because
/// the type of the routes determines which slice an action changes. A slice is a value that you
/// create once and can use from any thread.
public struct RouteSlice<Root: Sendable, Routes: NavigationState>: Sendable {
  /// The type of a place.
  public typealias Route = Routes.Route

  /// The path along which the slice changes and reads the navigation state.
  ///
  /// A second path for reading would use the key path a second time. The optimizer could then
  /// not resolve it, and a push would cost a sixth more.
  @usableFromInline let substate: Substate<Root, Routes>
  /// The functions that remove the states of screens that are gone.
  @usableFromInline var cleanups: [@Sendable (inout Root, Routes) -> Void] = []

  /// Creates the slice of a navigation state.
  ///
  /// - Parameter path: The key path of the navigation state in the state.
  @inlinable
  public init(at path: any WritableKeyPath<Root, Routes> & Sendable) {
    substate = .keyPath(path)
  }

  /// The plug-in that reduces the actions of the slice.
  ///
  /// The plug-in reduces the actions before the reducer of the store receives them, so the
  /// reducer can react to a change of the screens. For each other action, the plug-in costs one
  /// comparison of types. If the plug-ins of two slices with the same type of routes were added
  /// to a store, the program stops with a message.
  @inlinable
  public var plugin: Plugin<Root> {
    let plugin = reducing
    return cleanups.isEmpty ? plugin : cleaning(after: plugin)
  }

  /// The plug-in that reduces the actions of the slice.
  @inlinable
  var reducing: Plugin<Root> {
    let (substate, type) = (substate, ActionType(Navigate<Routes>.self))
    return Plugin(
      wrapReducer: { reducer in
        { state, action in
          if type.matches(action) {
            ReductionByPlugin.wasMade()
            let change = action.knownToBe(Navigate<Routes>.self).change
            substate.modify(&state) { $0.apply(change) }
          }
          reducer(&state, action)
        }
      }, onStoreStart: { SliceOfStore<Routes>.wasAdded(to: $0) })
  }

  /// Returns the navigation state in a state.
  @usableFromInline
  func routes(in state: Root) -> Routes? {
    var (copy, routes) = (state, nil as Routes?)
    substate.modify(&copy) { routes = $0 }
    return routes
  }

  // MARK: Actions

  /// Returns an action that makes a change.
  @inlinable
  public func change(_ change: Routes.Change) -> Navigate<Routes> { Navigate(change) }

  /// Returns an action that adds a screen on top of the front.
  @inlinable
  public func push(_ route: Route) -> Navigate<Routes> { stack(.push(route)) }

  /// Returns an action that removes the top screen, or dismisses the modal that begins with it.
  @inlinable
  public func pop() -> Navigate<Routes> { stack(.pop) }

  /// Returns an action that removes all screens above a screen.
  @inlinable
  public func pop(to id: ScreenID) -> Navigate<Routes> { stack(.popTo(id)) }

  /// Returns an action that removes all screens except for the root.
  @inlinable
  public func popToRoot() -> Navigate<Routes> { stack(.popToRoot) }

  /// Returns an action that replaces the top screen with a new screen.
  @inlinable
  public func replaceTop(with route: Route) -> Navigate<Routes> { stack(.replaceTop(route)) }

  /// Returns an action that shows a modal screen above the top screen.
  @inlinable
  public func present(_ route: Route, as style: ModalStyle = .sheet) -> Navigate<Routes> {
    stack(.present(route, as: style))
  }

  /// Returns an action that removes the modal that begins with a screen, or the highest modal.
  @inlinable
  public func dismiss(_ id: ScreenID? = nil) -> Navigate<Routes> { stack(.dismiss(id)) }

  /// Returns an action that replaces the path, as for a deep link, and dismisses all modals.
  @inlinable
  public func setPath(_ routes: [Route]) -> Navigate<Routes> { stack(.setPath(routes)) }

  /// Returns an action that replaces all screens with a new root, and dismisses all modals.
  @inlinable
  public func reset(root route: Route) -> Navigate<Routes> { stack(.reset(root: route)) }

  /// Returns an action that returns to the place before the newest change.
  @inlinable
  public func back() -> Navigate<Routes> { stack(.back) }

  /// Returns an action that returns to the place from which ``back()`` came.
  @inlinable
  public func forward() -> Navigate<Routes> { stack(.forward) }

  /// Returns an action that selects a tab.
  @inlinable
  public func select<Tab, TabRoute>(_ tab: Tab) -> Navigate<Routes>
  where Routes == RouteTabs<Tab, TabRoute> {
    Navigate(.select(tab))
  }

  /// Returns an action that selects a tab and replaces its path, as for a deep link.
  ///
  /// All modals of the tab, and of the tab that was selected before, are dismissed.
  @inlinable
  public func open<Tab, TabRoute>(_ routes: [TabRoute], in tab: Tab) -> Navigate<Routes>
  where Routes == RouteTabs<Tab, TabRoute> {
    Navigate(.open(routes, in: tab))
  }

  @inlinable
  func stack(_ change: RouteChange<Route>) -> Navigate<Routes> {
    Navigate(Routes.change(change))
  }
}

/// A mark of a store that has the plug-in of a slice.
///
/// A feature that is attached again has a new plug-in. The mark therefore contains the scope of the
/// store or of the feature, and counts until the scope ends.
@usableFromInline
final class SliceOfStore<Routes: NavigationState>: Sendable {
  private let scope = Locked<EffectScope?>(nil)

  private static func of(_ store: ActionContext) -> SliceOfStore {
    store.attachment(SliceOfStore.self) { SliceOfStore() }
  }

  /// Returns a Boolean value that indicates whether the plug-in of a slice was added to a store.
  static func isAdded(to store: ActionContext) -> Bool {
    of(store).scope.withLock { $0 }.map { !$0.hasEnded } ?? false
  }

  /// Records that the plug-in of a slice was added to a store, or to a feature of the store.
  @usableFromInline
  static func wasAdded(to store: ActionContext) {
    let other = of(store).scope.exchange(store.scope)
    if let other, !other.hasEnded { Misuse.secondSlice(of: Routes.self) }
  }
}
