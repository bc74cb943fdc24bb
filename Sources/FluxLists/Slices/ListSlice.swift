public import FluxAsync
public import FluxCore

/// A list of a store: where it stands in the state, where it comes from, and the actions and the reducer that
/// belong to it.
///
/// ```swift
/// let books = ListSlice("Books", at: \AppState.books, from: BooksRepository())
///
/// let store = Store(reducer: combine(books.reducer, appReducer), state: AppState())
/// store.dispatch(books.reload)
/// await store.request(books.fetchNext).result
/// ```
///
/// **Actions.** ``reload``, ``refresh`` and ``fetchNext`` are ``AsyncRequest``s, so that they show in logs
/// and histories, can be waited for, and end with the store. Of one list one load runs at a time: the newest,
/// unless the list's options say otherwise. An answer that comes late, to a load whose place another has
/// taken, changes nothing.
///
/// **Time** is that of the store's work: see ``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``.
///
/// It is a value that is made once, and used from any thread.
public struct ListSlice<Root: FluxState, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let source: ListSource<Item>
  private let substate: Substate<Root, ListState<Item>>

  init(_ source: ListSource<Item>, at substate: Substate<Root, ListState<Item>>) {
    self.source = source
    self.substate = substate
  }

  /// The name of the list.
  public var id: ListID { source.id }

  // MARK: Loading

  /// Erases the list, and loads it from its beginning.
  public var reload: ListLoad<Item> { ListLoad(.reload, of: source) }

  /// Loads the list from its beginning, and shows what there is until then, or if it fails.
  public var refresh: ListLoad<Item> { ListLoad(.refresh, of: source) }

  /// Loads the page that is next; it is not wanted while the list is being loaded, or at its end.
  public var fetchNext: ListLoad<Item> { ListLoad(.next, of: source) }

  /// Loads the page that is next if the item with an id, which was just shown, is near enough to the end.
  public func shown(_ id: Item.ID) -> ListLoad<Item> { ListLoad(.next, of: source, .shown(id)) }

  /// Refreshes the list if it was not loaded, has failed, is out of date, or has expired.
  public var loadIfNeeded: LoadListIfNeeded<Item> { LoadListIfNeeded(source: source) }

  /// Notes that what was loaded is out of date, for the next ``loadIfNeeded``.
  public var invalidate: InvalidateList { InvalidateList(list: id) }

  /// Cancels what loads the list, which stays as it is.
  public var cancel: CancelWork { source.cancel }

  /// Erases the list, as if it had never been loaded, and cancels what loads it.
  public var flush: FlushList { FlushList(list: id) }

  // MARK: Changing

  /// Shows other items in the list.
  public func override(by items: some Sequence<Item>) -> OverrideList<Item> {
    OverrideList(list: id, items: Array(items))
  }

  // MARK: Reducing

  /// Changes the list for its actions.
  public var reducer: ActionHandlers<Root> {
    let merge = source.options.merge
    return combine(
      of(ListLoad<Item>.Pending.self, \.request.list) { $0.began($1.request.kind, id: $1.id) },
      of(ListLoad<Item>.Fulfilled.self, \.request.list) { $0.received($1.value, for: $1.id, merging: merge) },
      of(ListLoad<Item>.Rejected.self, \.request.list) { $0.failed(ListFailure(of: $1.failure), for: $1.id) },
      of(ListEdit<Item>.Pending.self, \.request.list) { $0.began($1.request.change, id: $1.id) },
      of(ListEdit<Item>.Fulfilled.self, \.request.list) { $0.confirmed($1.id, as: $1.value) },
      of(ListEdit<Item>.Rejected.self, \.request.list) { list, action in list.refused(action.id) },
      of(FlushList.self, \.list) { list, _ in list.flush() },
      of(InvalidateList.self, \.list) { list, _ in list.invalidate() },
      of(OverrideList<Item>.self, \.list) { $0.override(by: $1.items) })
  }

  /// Handles a type of action for this list alone.
  private func of<Handled: Action>(
    _ type: Handled.Type, _ list: @escaping @Sendable (Handled) -> ListID,
    _ change: @escaping @Sendable (inout ListState<Item>, Handled) -> Void
  ) -> ActionHandlers<Root> {
    on(type) { [id, substate] root, action in
      guard list(action) == id else { return }
      substate.modify(&root) { list in change(&list, action) }
    }
  }
}
