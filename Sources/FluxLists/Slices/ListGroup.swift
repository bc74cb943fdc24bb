public import FluxAsync
public import FluxCore

/// Several lists of one store that are loaded together.
///
/// ```swift
/// let everything = ListGroup(books, songs)
/// await store.dispatchAsync(everything.reload).finished()
/// ```
///
/// The items of the lists can have different types. The lists are loaded at the same time. If
/// one list fails to load, the other lists are still loaded. The ``ListState`` of a list that
/// failed to load contains the error.
public struct ListGroup<Root: FluxState>: Sendable {
  private struct Member: Sendable {
    let id: ListID
    let reload: any Action
    let refresh: any Action
    let loadIfNeeded: any Action
    let invalidate: any Action
    let flush: any Action
    let cancel: any Action
    let isLoading: @Sendable (Root) -> Bool

    init<Item>(_ slice: ListSlice<Root, Item>) {
      id = slice.id
      reload = slice.reload
      refresh = slice.refresh
      loadIfNeeded = slice.loadIfNeeded
      invalidate = slice.invalidate
      flush = slice.flush
      cancel = slice.cancel
      isLoading = { root in slice.source.read(root)?.isLoading == true }
    }
  }

  private let members: [Member]
  /// The reducer that handles the actions of the lists.
  public let reducer: ActionHandlers<Root>

  /// Creates a group of lists.
  public init<First, each Other>(
    _ first: ListSlice<Root, First>, _ others: repeat ListSlice<Root, each Other>
  ) {
    var members = [Member(first)]
    var reducer = first.reducer
    for other in repeat each others {
      members.append(Member(other))
      reducer = combine(reducer, other.reducer)
    }
    self.members = members
    self.reducer = reducer
  }

  /// A plan that erases all lists and loads each list from its beginning.
  public var reload: ActionPlan<Root> { plan("reload") { $0.reload } }
  /// A plan that loads each list from its beginning.
  ///
  /// Each list shows its current items until the load succeeds, and keeps them if the load
  /// fails.
  public var refresh: ActionPlan<Root> { plan("refresh") { $0.refresh } }
  /// A plan that refreshes each list that is not loaded, failed to load, is out of date, or has
  /// expired.
  public var loadIfNeeded: ActionPlan<Root> { plan("loadIfNeeded") { $0.loadIfNeeded } }
  /// A plan that marks the content of the lists as out of date, so that the next
  /// ``loadIfNeeded`` refreshes them.
  public var invalidate: ActionPlan<Root> { plan("invalidate") { $0.invalidate } }
  /// A plan that erases all lists, and cancels their loads.
  public var flush: ActionPlan<Root> { plan("flush") { $0.flush } }
  /// A plan that cancels the loads of the lists.
  ///
  /// The items of the lists do not change.
  public var cancel: ActionPlan<Root> { plan("cancel") { $0.cancel } }

  /// Returns a Boolean value that indicates whether any of the lists is being loaded.
  public func isLoading(in state: Root) -> Bool {
    members.contains { $0.isLoading(state) }
  }

  private func plan(_ name: String, _ action: @escaping @Sendable (Member) -> any Action) -> ActionPlan<Root>
  {
    ActionPlan { [members] store in
      // In a batch, observers receive the changes to all lists as one change.
      store.batch { for member in members { store.dispatch(action(member)) } }
    }
    .named("\(members.map(\.id.name).joined(separator: ", ")): \(name)")
  }
}
