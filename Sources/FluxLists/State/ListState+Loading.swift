public import FluxAsync
public import FluxCollections

// The mutating methods of a list, one for each event that occurs while the list is being loaded.
// The reducer of a slice calls the mutating methods, and custom reducers can call them too. The
// compiler specializes the methods of frequent events in the module of the caller.

extension ListState {
  /// Begins a load.
  ///
  /// The load replaces any running load, and the result of the replaced load is dropped.
  @inlinable
  public mutating func began(_ kind: ListLoadKind, id: RequestID) {
    if kind == .reload { erase() }
    if kind != .next { edits.beganLoading() }
    // If a load is already running, `errorBefore` already contains the error to restore.
    if load == nil { errorBefore = error.map { ErrorBefore(error: $0, isAtEnd: errorIsAtEnd) } }
    isInvalidatedMeanwhile = false
    load = Load(id: id, kind: kind)
    error = nil
    errorIsAtEnd = false
  }

  /// Appends the new items of a loaded page, or replaces the list with the result of a load.
  ///
  /// If the result belongs to a load other than the current load, the method has no effect. The
  /// method is O(k log n) for k new items, plus O(1) for each known item of an appended page.
  ///
  /// - Parameters:
  ///   - answer: The result of the load.
  ///   - id: The id of the load.
  ///   - merge: A closure that merges an item of the list with the same item from the result.
  ///     The list shows the item that the closure returns.
  @inlinable
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
    // The next page extends the list, so initial data and items that were inserted before the
    // first page was loaded remain in the list.
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

  /// Ends a load that has failed, and keeps the items of the list.
  ///
  /// If the load was canceled or unwanted, the method restores the previous error. If the
  /// failure belongs to a load other than the current load, the method has no effect.
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

  /// Erases the list, and drops the result of a running load.
  public mutating func flush() {
    erase()
    load = nil
    error = nil
    errorIsAtEnd = false
    errorBefore = nil
    isInvalidatedMeanwhile = false
  }

  /// Marks the content of the list as out of date.
  public mutating func invalidate() {
    isInvalidated = true
    // The running load may have fetched its result before the invalidation.
    if load != nil { isInvalidatedMeanwhile = true }
  }

  @usableFromInline
  mutating func erase() {
    items.removeAll()
    edits.hide()
    isLoaded = false
    isInvalidated = false
    lastPage = nil
    nextPage = .first
    loadedAt = nil
  }

  /// Replaces the items, and applies the unconfirmed edits to the new items.
  @inlinable
  mutating func replace(by new: [Item], _ merge: ((Item, Item) -> Item)?, mayBeOlder: Bool = false) {
    let old = items
    let merged = merge.map { merge in new.map { item in old[id: item.id].map { merge($0, item) } ?? item } }
    items.setAll(merged ?? new)
    if mayBeOlder { edits.keep(in: &items) }
    edits.reapply(to: &items)
  }
}
