public import FluxAsync

// How a list changes by changes that are shown before they are confirmed, for reducers.

extension ListState {
  /// A change was sent to be kept: it is shown at once.
  ///
  /// O(log n), beside the changes that are not confirmed.
  public mutating func began(_ change: ListChange<Item>, id: RequestID) {
    edits.began(change, id, in: &items)
  }

  /// A change was kept.
  ///
  /// - Parameters:
  ///   - id: The request by which it was sent.
  ///   - kept: The item as it is kept; `nil` if nobody says, or there is none any more. One with another id
  ///     takes the place of
  ///     the item that was inserted.
  public mutating func confirmed(_ id: RequestID, as kept: Item?) {
    let isLoadingAll = load.map { $0.kind != .next } ?? false
    let more = edits.confirmed(id, as: kept, whileLoading: isLoadingAll, in: &items)
    // The server counts them, too. Where it is asked for one too many, that is dropped, and none is left out.
    if more < 0, let page = nextPage { nextPage?.offset = max(0, page.offset + more) }
    if let total = lastPage?.total { lastPage?.total = max(0, total + more) }
  }

  /// A change was refused: it is undone, and others of the same item are not.
  public mutating func refused(_ id: RequestID) {
    edits.refused(id, in: &items)
  }

  /// Shows other items, with the changes that are not confirmed; where the list has got to stays as it is.
  public mutating func override(by items: some Sequence<Item>) {
    replace(by: Array(items), nil)
    isLoaded = true
  }
}
