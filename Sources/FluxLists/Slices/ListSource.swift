public import FluxAsync
public import FluxCore

/// An object that the actions of a list contain: the id, options, repository, and location of the
/// list.
///
/// A ``ListSlice`` creates the source. Because the source is an object, an action that contains it
/// is small and cheap to copy.
@usableFromInline
final class ListSource<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  @usableFromInline let id: ListID
  @usableFromInline let options: ListOptions<Item>
  let repository: ListLoading<Item>
  /// A closure that calls another closure with the list in a store's state.
  ///
  /// The closure does nothing for the state of another store. The compiler specializes the closure
  /// for the type of the state, and the list is not copied.
  let withList: @Sendable (_ state: any FluxState, _ body: (ListState<Item>) -> Void) -> Void

  /// The policy that applies each time the list is loaded.
  let policy: WorkPolicy
  /// The policy that applies each time the next page is loaded.
  let policyOfNextPage: WorkPolicy

  /// Creates the source of a list in a state of a type.
  ///
  /// - Parameters:
  ///   - id: The id of the list.
  ///   - options: The options of the list.
  ///   - repository: The methods of the list's repository.
  ///   - type: The type of the state.
  ///   - read: A closure that calls another closure with the list in a state.
  @inlinable
  convenience init<Root: FluxState>(
    _ id: ListID, _ options: ListOptions<Item>, _ repository: ListLoading<Item>, in type: Root.Type,
    _ read: @escaping @Sendable (_ state: Root, _ body: (ListState<Item>) -> Void) -> Void
  ) {
    self.init(id, options, repository) { state, body in
      state.ifOfType(Root.self) { root in read(root, body) }
    }
  }

  @usableFromInline
  init(
    _ id: ListID, _ options: ListOptions<Item>, _ repository: ListLoading<Item>,
    withList: @escaping @Sendable (_ state: any FluxState, _ body: (ListState<Item>) -> Void) -> Void
  ) {
    self.id = id
    self.options = options
    self.repository = repository
    self.withList = withList
    policy = options.policy.shared(by: id)
    var policy = policy
    // If two threads dispatch the same action at the same time, both actions can be wanted. The
    // next page must not be loaded twice at the same time, and loading it must not cancel a
    // refresh.
    if policy.rules.overlap == .latest { policy.rules = WorkRules(.leading) }
    policyOfNextPage = policy
  }

  var cancel: CancelWork { CancelWork(id: id, because: "loading was canceled") }

  /// Returns the list in a store's state, or `nil` for the state of another store.
  func read(_ state: any FluxState) -> ListState<Item>? {
    var list: ListState<Item>?
    withList(state) { list = $0 }
    return list
  }
}
