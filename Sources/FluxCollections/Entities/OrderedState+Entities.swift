// The operations of an entity adapter that keeps elements in insertion order.

extension OrderedState {
  // MARK: - Adding

  /// Adds an element to the end of the list if the id of the element is unknown.
  ///
  /// - Complexity: O(log n).
  ///
  /// - Returns: `true` if the element was added, or `false` if its id is already in the list and
  ///   the list did not change.
  @inlinable @discardableResult
  public mutating func add(_ element: Element) -> Bool {
    storage.add(element)
  }

  /// Adds the elements whose ids are unknown to the end of the list, in the given order.
  ///
  /// If several of the elements have the same id, only the first of them is added. The method
  /// takes O(k log n) time for k elements.
  @inlinable
  public mutating func add(contentsOf elements: some Sequence<Element>) {
    storage.add(contentsOf: elements)
  }

  @inlinable
  mutating func insertNew(_ element: Element) {
    storage.insert(element, at: count)
    storage.note(element.id)
  }

  // MARK: - Setting

  /// Replaces the known element that has the same id, or adds the new element at the end.
  ///
  /// The method takes O(1) time if the id is known, and O(log n) time if the id is unknown.
  @inlinable
  public mutating func set(_ element: Element) {
    upsert(element) { $0 = $1 }
  }

  /// Replaces the known elements that have the same ids, and adds the elements with unknown ids
  /// at the end.
  ///
  /// If several of the elements have the same id, the list keeps the last of them, at the
  /// position of the first. The method takes O(k log n) time for k elements.
  @inlinable
  public mutating func set(contentsOf elements: some Sequence<Element>) {
    upsert(contentsOf: elements) { $0 = $1 }
  }

  /// Replaces all elements of the list with the given elements, in the given order.
  ///
  /// If several of the new elements have the same id, all of them except the last are omitted.
  /// The method takes O(n) time.
  ///
  /// After this operation, ``changedIDs(since:)`` returns `nil` for all previous versions. To
  /// compare the list with a previous version, use ``difference(from:)``.
  @inlinable
  public mutating func setAll(_ elements: some Sequence<Element>) {
    let new = OrderedState(elements, shape: storage.shape)
    if new.isEmpty && isEmpty { return }
    self = new
  }

  // MARK: - Merging

  /// Merges an element into the known element that has the same id, or adds the new element at
  /// the end.
  ///
  /// The method takes O(1) time, or O(log n) time if the element is added.
  ///
  /// - Parameters:
  ///   - element: The new element.
  ///   - merge: A closure that changes the known element to include the new element. The default
  ///     closure replaces the known element.
  @inlinable
  public mutating func upsert(
    _ element: Element, merging merge: (_ old: inout Element, _ new: Element) -> Void = { $0 = $1 }
  ) {
    storage.upsert(element, merge)
  }

  /// Merges elements into the known elements that have the same ids, and adds the elements with
  /// unknown ids at the end.
  ///
  /// If several of the elements have the same id, each of them is merged into the result of the
  /// previous merge. The method takes O(k log n) time for k elements.
  ///
  /// - Parameters:
  ///   - elements: The new elements.
  ///   - merge: A closure that changes a known element to include a new element. The default
  ///     closure replaces the known element.
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
