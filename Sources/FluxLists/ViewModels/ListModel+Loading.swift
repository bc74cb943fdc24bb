import FluxAsync
import FluxCore

extension ListModel {
  /// The id of the list.
  public var id: ListID { source.id }

  /// Erases the list and loads it from its beginning.
  ///
  /// - Throws: A ``ListFailure`` if the list was not loaded. The code of the failure is
  ///   ``ListFailure/Code/cancelled`` if the load was canceled or replaced by another load.
  public func reload() async throws(ListFailure) {
    try await finish(.reload)
  }

  /// Loads the list from its beginning.
  ///
  /// The list shows its current items until the load succeeds, and keeps them if the load fails.
  ///
  /// - Throws: A ``ListFailure`` if the list was not loaded. The code of the failure is
  ///   ``ListFailure/Code/cancelled`` if the load was canceled or replaced by another load.
  public func refresh() async throws(ListFailure) {
    try await finish(.refresh)
  }

  /// Loads the next page.
  ///
  /// If the list is being loaded, or if the last page has been loaded, the method has no effect.
  ///
  /// - Throws: A ``ListFailure`` if the page was not loaded. The code of the failure is
  ///   ``ListFailure/Code/cancelled`` if the load was canceled or replaced by another load.
  public func fetchNext() async throws(ListFailure) {
    try await finish(.next)
  }

  /// Refreshes the list if necessary, and waits for the load to end.
  ///
  /// A refresh is necessary if the list is not loaded, failed to load, is out of date, or has
  /// expired.
  ///
  /// If the load fails, ``error`` contains the failure.
  public func loadIfNeeded() async {
    await proxy.dispatchAsync(LoadListIfNeeded(source: source)).finished()
  }

  /// Starts to load the next page if an item that a view shows is near the end of the list.
  ///
  /// The method does not wait for the load. The method is O(log n) for n items, so a view can
  /// call the method for each item that it shows.
  public func shown(_ id: Item.ID) {
    let load = ListLoad(.next, of: source, .shown(id))
    // Unnecessary loads are not dispatched, because otherwise logs would contain a line for each
    // shown item.
    if load.isDue(in: now) { proxy.dispatch(load) }
  }

  /// Marks the content of the list as out of date, so that the next ``loadIfNeeded()``
  /// refreshes it.
  public func invalidate() {
    proxy.dispatch(InvalidateList(list: id))
  }

  /// Cancels the load of the list.
  ///
  /// The items of the list do not change.
  public func cancel() {
    proxy.dispatch(source.cancel)
  }

  /// Erases the list, and cancels its load.
  public func flush() {
    proxy.dispatch(FlushList(list: id))
  }

  /// Replaces the items of the list.
  public func override(by items: some Sequence<Item>) {
    proxy.dispatch(OverrideList(list: id, items: Array(items)))
  }

  /// Edits the list immediately, and rolls the edit back if the commit fails.
  ///
  /// - Parameters:
  ///   - change: The change. If the list does not contain the item to change, nothing happens.
  ///   - commit: A closure that sends the changed item, or the item to delete, to a server, and
  ///     returns the saved item or `nil`.
  /// - Throws: The failure that caused the rollback.
  public func change(
    _ change: ListChange<Item>, commit: @escaping @Sendable (Item) async throws -> Item?
  ) async throws(ListFailure) {
    _ = try check(await proxy.request(ListEdit(change, of: source, commit)).result)
  }

  /// Loads the list, and returns the items that were loaded.
  func load(_ kind: ListLoadKind) async -> Result<[Item], ListFailure> {
    let result = await proxy.request(ListLoad(kind, of: source)).result
    return result.map(\.items).mapError { ListFailure(of: $0) }
  }

  private func finish(_ kind: ListLoadKind) async throws(ListFailure) {
    _ = try check(await proxy.request(ListLoad(kind, of: source)).result)
  }

  /// Returns the value of a result, or throws the failure of the result.
  ///
  /// If the request was unwanted, the method returns `nil`.
  private func check<Value>(_ result: Result<Value, RequestFailure<any Error>>) throws(ListFailure) -> Value?
  {
    switch result {
    case .success(let value): return value
    case .failure(.unwanted): return nil
    case .failure(let failure): throw ListFailure(of: failure)
    }
  }
}
