public import FluxCore

extension RouteSlice {
  /// The decision of a guard about a navigation.
  public enum Decision: Sendable {
    /// The navigation is reduced.
    case allow
    /// The action is dropped.
    case refuse
    /// Another change replaces the change of the action.
    ///
    /// Guards do not receive the other change, so two guards cannot redirect to each other forever.
    case redirect(Routes.Change)
    /// A task decides.
    ///
    /// The navigation is pending until the closure returns. A newer navigation cancels the task,
    /// and the pending navigation is dropped.
    case wait(@Sendable (_ store: StoreProxy<Root>) async -> Decision)
  }
}
