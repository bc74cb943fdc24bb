public import FluxAsync
public import FluxCore

/// Several lists of one store, of whatever items, that are loaded together.
///
/// ```swift
/// let everything = ListGroup(books, songs)
/// await store.dispatchAsync(everything.reload).finished()
/// ```
///
/// They are loaded side by side, and each fails alone: what went wrong stands in its own ``ListState``.
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
  /// Changes each of the lists for its actions.
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

  /// Erases all lists, and loads them from their beginnings.
  public var reload: ActionPlan<Root> { plan("reload") { $0.reload } }
  /// Loads all lists from their beginnings, and shows what there is of each until then, or if it fails.
  public var refresh: ActionPlan<Root> { plan("refresh") { $0.refresh } }
  /// Refreshes those lists that were not loaded, have failed, are out of date, or have expired.
  public var loadIfNeeded: ActionPlan<Root> { plan("loadIfNeeded") { $0.loadIfNeeded } }
  /// Notes that what was loaded of the lists is out of date, for the next ``loadIfNeeded``.
  public var invalidate: ActionPlan<Root> { plan("invalidate") { $0.invalidate } }
  /// Erases all lists, as if they had never been loaded.
  public var flush: ActionPlan<Root> { plan("flush") { $0.flush } }
  /// Cancels what loads the lists, which stay as they are.
  public var cancel: ActionPlan<Root> { plan("cancel") { $0.cancel } }

  /// Whether any of the lists is being loaded.
  public func isLoading(in state: Root) -> Bool {
    members.contains { $0.isLoading(state) }
  }

  private func plan(_ name: String, _ action: @escaping @Sendable (Member) -> any Action) -> ActionPlan<Root>
  {
    ActionPlan { [members] store in
      // One delivery for all of them.
      store.batch { for member in members { store.dispatch(action(member)) } }
    }
    .named("\(members.map(\.id.name).joined(separator: ", ")): \(name)")
  }
}
