public import FluxCore

/// A factory that makes the action handlers for the list or the value with a given ID.
@usableFromInline
struct ListHandlers<Root: FluxState, Part: Sendable>: Sendable {
  @usableFromInline let id: ListID
  @usableFromInline let substate: Substate<Root, Part>

  @inlinable
  init(id: ListID, substate: Substate<Root, Part>) {
    self.id = id
    self.substate = substate
  }

  /// Returns a handler for the actions of one type that contain the id.
  ///
  /// - Parameters:
  ///   - type: The type of the actions.
  ///   - name: A closure that returns the id in an action.
  ///   - change: A closure that changes the list or the value.
  @inlinable
  func on<Handled: Action>(
    _ type: Handled.Type, _ name: @escaping @Sendable (Handled) -> ListID,
    _ change: @escaping @Sendable (inout Part, Handled) -> Void
  ) -> ActionHandlers<Root> {
    FluxCore.on(type) { [id, substate] root, action in
      guard name(action) == id else { return }
      substate.modify(&root) { part in change(&part, action) }
    }
  }
}
