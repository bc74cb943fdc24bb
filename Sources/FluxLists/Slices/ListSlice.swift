public import FluxAsync
public import FluxCore

/// The description of a list in a store: its location in the state, its repository, its actions,
/// and its reducer.
///
/// ```swift
/// let books = ListSlice("Books", at: \AppState.books, from: BooksRepository())
///
/// let store = Store(reducer: combine(books.reducer, appReducer), state: AppState())
/// store.dispatch(books.reload)
/// await store.request(books.fetchNext).result
/// ```
///
/// **Actions.** ``reload``, ``refresh``, and ``fetchNext`` are ``/FluxAsync/AsyncRequest``s, so
/// they appear in logs and histories, and callers can await them. When the store is released,
/// running loads are canceled. With the default ``ListOptions/policy``, only one load of a list
/// runs at a time, and a reload or refresh replaces the running load. The result of a replaced
/// load is dropped.
///
/// **Time.** A slice measures time with the clock that
/// ``/FluxAsync/FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)`` sets for the store's
/// work.
///
/// A slice is a value that you create once and can use from any thread.
public struct ListSlice<Root: FluxState, Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  @usableFromInline let source: ListSource<Item>
  @usableFromInline let substate: Substate<Root, ListState<Item>>

  @inlinable
  init(_ source: ListSource<Item>, at substate: Substate<Root, ListState<Item>>) {
    self.source = source
    self.substate = substate
  }

  /// The id of the list.
  @inlinable public var id: ListID { source.id }

  // MARK: Loading

  /// An action that erases the list and loads it from its beginning.
  @inlinable public var reload: ListLoad<Item> { ListLoad(.reload, of: source) }

  /// An action that loads the list from its beginning.
  ///
  /// The list shows its current items until the load succeeds, and keeps them if the load fails.
  @inlinable public var refresh: ListLoad<Item> { ListLoad(.refresh, of: source) }

  /// An action that loads the next page.
  ///
  /// The action is not wanted while the list is being loaded, or after the last page has been
  /// loaded.
  @inlinable public var fetchNext: ListLoad<Item> { ListLoad(.next, of: source) }

  /// Returns an action that loads the next page if an item that was just shown is near the end
  /// of the list.
  public func shown(_ id: Item.ID) -> ListLoad<Item> { ListLoad(.next, of: source, .shown(id)) }

  /// An action that refreshes the list if the list is not loaded, failed to load, is out of
  /// date, or has expired.
  public var loadIfNeeded: LoadListIfNeeded<Item> { LoadListIfNeeded(source: source) }

  /// An action that marks the content of the list as out of date, so that the next
  /// ``loadIfNeeded`` refreshes it.
  public var invalidate: InvalidateList { InvalidateList(list: id) }

  /// An action that cancels the load of the list.
  ///
  /// The items of the list do not change.
  public var cancel: CancelWork { source.cancel }

  /// An action that erases the list and cancels its load.
  ///
  /// After the action is reduced, the list is empty and counts as not loaded.
  public var flush: FlushList { FlushList(list: id) }

  // MARK: Changing

  /// Returns an action that replaces the items of the list.
  public func override(by items: some Sequence<Item>) -> OverrideList<Item> {
    OverrideList(list: id, items: Array(items))
  }

  // MARK: Reducing

  /// The reducer that handles the actions of the list.
  ///
  /// The compiler specializes the handlers for the state and the items, in the module of the
  /// caller.
  @inlinable public var reducer: ActionHandlers<Root> {
    let merge = source.options.merge
    let list = ListHandlers(id: id, substate: substate)
    return combine(
      list.on(ListLoad<Item>.Pending.self, { $0.request.list }) { $0.began($1.request.kind, id: $1.id) },
      list.on(ListLoad<Item>.Fulfilled.self, { $0.request.list }) {
        $0.received($1.value, for: $1.id, merging: merge)
      },
      list.on(ListLoad<Item>.Rejected.self, { $0.request.list }) {
        $0.failed(ListFailure(of: $1.failure), for: $1.id)
      },
      list.on(ListEdit<Item>.Pending.self, { $0.request.list }) { $0.began($1.request.change, id: $1.id) },
      list.on(ListEdit<Item>.Fulfilled.self, { $0.request.list }) { $0.confirmed($1.id, as: $1.value) },
      list.on(ListEdit<Item>.Rejected.self, { $0.request.list }) { list, action in list.refused(action.id) },
      list.on(FlushList.self, { $0.list }) { list, _ in list.flush() },
      list.on(InvalidateList.self, { $0.list }) { list, _ in list.invalidate() },
      list.on(OverrideList<Item>.self, { $0.list }) { $0.override(by: $1.items) })
  }
}

/// Options that control how a list is loaded.
public struct ListOptions<Item: Sendable>: Sendable {
  /// The policy for loading the list, such as ``/FluxAsync/WorkPolicy/timingOut(after:)`` or
  /// ``/FluxAsync/WorkPolicy/retrying(_:)``.
  ///
  /// With the default, ``/FluxAsync/WorkPolicy/latest``, a reload or refresh cancels the load
  /// that is running. The key of the policy has no effect, because all loads of a list use the id
  /// of the list as their key.
  public var policy = WorkPolicy.latest
  /// The time after a load at which the list expires, so that ``ListSlice/loadIfNeeded`` loads
  /// the list again.
  ///
  /// If the value is `nil`, the list never expires.
  public var lifetime: Duration?
  /// The number of items at the end of the list for which ``ListSlice/shown(_:)`` loads the next
  /// page.
  public var prefetchDistance = 5
  /// A closure that merges an item of the list with the same item from a refresh.
  ///
  /// The list shows the item that the closure returns. If the value is `nil`, the list shows the
  /// new item.
  public var merge: (@Sendable (_ old: Item, _ new: Item) -> Item)?

  /// Creates options.
  @inlinable
  public init(
    policy: WorkPolicy = .latest, lifetime: Duration? = nil, prefetchDistance: Int = 5,
    merge: (@Sendable (_ old: Item, _ new: Item) -> Item)? = nil
  ) {
    self.policy = policy
    self.lifetime = lifetime
    self.prefetchDistance = prefetchDistance
    self.merge = merge
  }
}

/// The name of a list.
///
/// Actions and logs identify a list by its name. The name of each list must be unique in its
/// store.
public struct ListID: Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let name: String

  /// Creates an id from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates an id from a string literal.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The name.
  public var description: String { name }
}
