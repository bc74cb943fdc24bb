public import FluxAsync

// The mutations that reducers use to apply optimistic edits to a list.

extension ListState {
  /// Shows an edit whose request is pending.
  ///
  /// The method is O(log n + m) for n items and m unconfirmed edits.
  public mutating func began(_ change: ListChange<Item>, id: RequestID) {
    edits.began(change, id, in: &items)
  }

  /// Commits an edit whose request is fulfilled.
  ///
  /// - Parameters:
  ///   - id: The id of the request.
  ///   - kept: The item that the repository saved, or `nil` if the repository returned no item
  ///     or the item was deleted. An item with a different id replaces the inserted item.
  public mutating func confirmed(_ id: RequestID, as kept: Item?) {
    let isLoadingAll = load.map { $0.kind != .next } ?? false
    let more = edits.confirmed(id, as: kept, whileLoading: isLoadingAll, in: &items)
    // The server moves later items forward after a deletion, so the offset decreases. After an
    // insertion, the offset does not change, so the next page repeats a known item. The repeated
    // item is dropped, and no item is skipped.
    if more < 0, let page = nextPage { nextPage?.offset = max(0, page.offset + more) }
    if let total = lastPage?.total { lastPage?.total = max(0, total + more) }
  }

  /// Rolls back an edit whose request was rejected, and keeps other edits of the same item.
  public mutating func refused(_ id: RequestID) {
    edits.refused(id, in: &items)
  }

  /// Replaces the items of the list, and applies the unconfirmed edits to the new items.
  ///
  /// The progress of the pagination does not change.
  @inlinable
  public mutating func override(by items: some Sequence<Item>) {
    replace(by: Array(items), nil)
    isLoaded = true
  }
}
