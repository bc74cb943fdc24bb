import FluxAsync
import FluxCore

// What a list does.

extension ListModel {
  /// The name of the list.
  public var id: ListID { source.id }

  /// Erases the list, and loads it from its beginning.
  ///
  /// - Throws: Why it was not loaded; ``ListFailure/Code/cancelled`` if it was cancelled, or another load
  ///   came.
  public func reload() async throws(ListFailure) {
    try await finish(.reload)
  }

  /// Loads the list from its beginning, and shows what there is until then, or if it fails.
  ///
  /// - Throws: Why it was not loaded; ``ListFailure/Code/cancelled`` if it was cancelled, or another load
  ///   came.
  public func refresh() async throws(ListFailure) {
    try await finish(.refresh)
  }

  /// Loads the page that is next; does nothing while the list is being loaded, or at its end.
  ///
  /// - Throws: Why it was not loaded; ``ListFailure/Code/cancelled`` if it was cancelled, or another load
  ///   came.
  public func fetchNext() async throws(ListFailure) {
    try await finish(.next)
  }

  /// Refreshes the list if it was not loaded, has failed, is out of date, or has expired, and waits for that.
  ///
  /// What goes wrong is in ``error``.
  public func loadIfNeeded() async {
    await proxy.dispatchAsync(LoadListIfNeeded(source: source)).finished()
  }

  /// Loads the next page, without waiting for it, if an item that is shown is near enough to the end.
  ///
  /// O(log n), so it may be called for each item that is shown.
  public func shown(_ id: Item.ID) {
    let load = ListLoad(.next, of: source, .shown(id))
    // Nobody wants to read of every row in a log.
    if load.isDue(in: now) { proxy.dispatch(load) }
  }

  /// Notes that what was loaded is out of date, for the next ``loadIfNeeded()``.
  public func invalidate() {
    proxy.dispatch(InvalidateList(list: id))
  }

  /// Cancels what loads the list, which stays as it is.
  public func cancel() {
    proxy.dispatch(source.cancel)
  }

  /// Erases the list, as if it had never been loaded, and cancels what loads it.
  public func flush() {
    proxy.dispatch(FlushList(list: id))
  }

  /// Shows other items.
  public func override(by items: some Sequence<Item>) {
    proxy.dispatch(OverrideList(list: id, items: Array(items)))
  }

  /// Makes a change at once, and undoes it if it is refused.
  ///
  /// - Parameters:
  ///   - change: The change. That of an item that is not there is none.
  ///   - commit: Tells a server of the item, as it is changed or before it goes; gives it as it is kept, or
  ///     `nil`.
  /// - Throws: Why the change was undone.
  public func change(
    _ change: ListChange<Item>, commit: @escaping @Sendable (Item) async throws -> Item?
  ) async throws(ListFailure) {
    _ = try check(await proxy.request(ListEdit(change, of: source, commit)).result)
  }

  /// Loads the list, and gives what has come.
  func load(_ kind: ListLoadKind) async -> Result<[Item], ListFailure> {
    let result = await proxy.request(ListLoad(kind, of: source)).result
    return result.map(\.items).mapError { ListFailure(of: $0) }
  }

  private func finish(_ kind: ListLoadKind) async throws(ListFailure) {
    _ = try check(await proxy.request(ListLoad(kind, of: source)).result)
  }

  /// Throws what went wrong; that there was nothing to do is no error.
  private func check<Value>(_ result: Result<Value, RequestFailure<any Error>>) throws(ListFailure) -> Value?
  {
    switch result {
    case .success(let value): return value
    case .failure(.unwanted): return nil
    case .failure(let failure): throw ListFailure(of: failure)
    }
  }
}
