// The operations of an entity adapter that keeps elements in insertion order.

extension OrderedState {
  // MARK: - Adding

  /// Adds an element at the end if its id is unknown.
  ///
  /// O(log n).
  ///
  /// - Returns: A Boolean value that indicates whether the element was added. If it was not, the
  ///   list did not change.
  @inlinable @discardableResult
  public mutating func add(_ element: Element) -> Bool {
    storage.add(element)
  }

  /// Adds the elements whose ids are unknown at the end, in order.
  ///
  /// If several of the elements have the same id, the first one is added. O(k log n) for k
  /// elements.
  @inlinable
  public mutating func add(contentsOf elements: some Sequence<Element>) {
    var hasBegun = false
    for element in elements where !storage.contains(element.id) {
      if !hasBegun { storage.beginChange() }
      hasBegun = true
      insertNew(element)
    }
  }

  @inlinable
  mutating func insertNew(_ element: Element) {
    storage.insert(element, at: count)
    storage.note(element.id)
  }

  // MARK: - Setting

  /// Replaces the element with the same id in place, or adds the element at the end.
  ///
  /// O(1) if the id is known, and O(log n) otherwise.
  @inlinable
  public mutating func set(_ element: Element) {
    upsert(element) { $0 = $1 }
  }

  /// Replaces the elements with the same ids in place, and adds the other elements at the end.
  ///
  /// If several of the elements have the same id, the last one is kept, at the position of the
  /// first. O(k log n) for k elements.
  @inlinable
  public mutating func set(contentsOf elements: some Sequence<Element>) {
    upsert(contentsOf: elements) { $0 = $1 }
  }

  /// Replaces all elements, in order.
  ///
  /// O(n). If several of the new elements have the same id, the list keeps the last one at its
  /// position. ``changedIDs(since:)`` returns `nil` for versions before this operation. For
  /// these versions, use ``difference(from:)``.
  @inlinable
  public mutating func setAll(_ elements: some Sequence<Element>) {
    let new = OrderedState(elements, shape: storage.shape)
    if new.isEmpty && isEmpty { return }
    self = new
  }

  // MARK: - Merging

  /// Merges an element into the element with the same id in place, or adds the new element at
  /// the end.
  ///
  /// O(1), or O(log n) if the element is added.
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - merge: A closure that changes the known element to include the new one. The default
  ///     replaces the known element.
  @inlinable
  public mutating func upsert(
    _ element: Element, merging merge: (_ old: inout Element, _ new: Element) -> Void = { $0 = $1 }
  ) {
    storage.upsert(element, merge)
  }

  /// Merges elements into the elements with the same ids in place, and adds the others at the
  /// end.
  ///
  /// If several of the elements have the same id, each one is merged into the result of the
  /// previous merge. O(k log n) for k elements.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - merge: A closure that changes a known element to include the new one. The default
  ///     replaces the known element.
  @inlinable
  public mutating func upsert(
    contentsOf elements: some Sequence<Element>,
    merging merge: (_ old: inout Element, _ new: Element) -> Void = { $0 = $1 }
  ) {
    var hasBegun = false
    for element in elements {
      if !hasBegun { storage.beginChange() }
      hasBegun = true
      upsertInChange(element, merge)
    }
  }

  @inlinable
  mutating func upsertInChange(_ element: Element, _ merge: (inout Element, Element) -> Void) {
    if let location = storage.location(of: element.id) {
      storage.modify(element.id, at: location) { merge(&$0, element) }
    } else {
      insertNew(element)
    }
  }
}
