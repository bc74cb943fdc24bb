public import FluxAsync
import FluxCollections

// How a list changes while it is loaded: one method an event, for the reducer of a slice, and for reducers of
// your own.

extension ListState {
  /// A load was sent.
  ///
  /// It takes the place of any other, whose answer is dropped from now on.
  public mutating func began(_ kind: ListLoadKind, id: RequestID) {
    if kind == .reload { erase() }
    if kind != .next { edits.beganLoading() }
    // While another load is on its way, what was before that.
    if load == nil { errorBefore = error.map { ErrorBefore(error: $0, isAtEnd: errorIsAtEnd) } }
    isInvalidatedMeanwhile = false
    load = Load(id: id, kind: kind)
    error = nil
    errorIsAtEnd = false
  }

  /// A load was answered: a page is appended, without the items that are known, or takes the place of the
  /// list.
  ///
  /// The answer to a load that is not the one on its way changes nothing. O(k log n) for k items; of those
  /// that are known already O(1) each.
  ///
  /// - Parameters:
  ///   - answer: What has come.
  ///   - id: The load that it answers.
  ///   - merge: Makes of an item that is shown, and the same one as it came again, the one to show.
  public mutating func received(
    _ answer: ListAnswer<Item>, for id: RequestID, merging merge: ((Item, Item) -> Item)? = nil
  ) {
    guard let load, load.id == id else { return }
    self.load = nil
    errorBefore = nil
    let totalBefore = load.kind == .next ? total : nil
    lastPage = answer.page
    lastPage?.total = answer.page.total ?? totalBefore
    nextPage = answer.nextPage
    // Initial data, and what was inserted before the first page came, stay where the list only grows.
    if load.kind == .next, !items.isEmpty {
      let isFirst = answer.page.position == .first
      let new = edits.isEmpty ? [] : answer.items.map(\.id).filter { !items.contains(id: $0) }
      items.add(contentsOf: answer.items)
      if !edits.isEmpty { edits.appended(new, isFirst: isFirst, to: &items) }
    } else {
      replace(by: answer.items, merge, mayBeOlder: load.kind != .next)
    }
    guard answer.page.position == .first else { return }
    loadedAt = answer.time
    isLoaded = true
    isInvalidated = isInvalidatedMeanwhile
    isInvalidatedMeanwhile = false
  }

  /// A load has failed: the list stays as it is, and can be loaded again.
  ///
  /// A load that was cancelled leaves no trace. The failure of one that is not the one on its way changes
  /// nothing.
  public mutating func failed(_ failure: ListFailure, for id: RequestID) {
    guard let load, load.id == id else { return }
    self.load = nil
    isInvalidatedMeanwhile = false
    let before = errorBefore
    errorBefore = nil
    guard !failure.isHarmless else {
      error = before?.error
      errorIsAtEnd = before?.isAtEnd == true && isLoaded
      return
    }
    error = failure
    errorIsAtEnd = load.kind == .next && isLoaded
  }

  /// Erases the list, as if it had never been loaded; the answer to a load on its way is dropped.
  public mutating func flush() {
    erase()
    load = nil
    error = nil
    errorIsAtEnd = false
    errorBefore = nil
    isInvalidatedMeanwhile = false
  }

  /// Notes that what was loaded is out of date.
  public mutating func invalidate() {
    isInvalidated = true
    // What is on its way may have been fetched before.
    if load != nil { isInvalidatedMeanwhile = true }
  }

  private mutating func erase() {
    items.removeAll()
    edits.hide()
    isLoaded = false
    isInvalidated = false
    lastPage = nil
    nextPage = .first
    loadedAt = nil
  }

  /// Shows other items, with the changes that are not confirmed.
  mutating func replace(by new: [Item], _ merge: ((Item, Item) -> Item)?, mayBeOlder: Bool = false) {
    let old = items
    let merged = merge.map { merge in new.map { item in old[id: item.id].map { merge($0, item) } ?? item } }
    items.setAll(merged ?? new)
    if mayBeOlder { edits.keep(in: &items) }
    edits.reapply(to: &items)
  }
}
