// The operations of an entity adapter that keeps the order in which elements came.

extension OrderedState {
  // MARK: - Adding what is new

  /// Adds an element at the end if its id is unknown.
  ///
  /// O(log n).
  ///
  /// - Returns: Whether it was added; if not, nothing has changed.
  @inlinable @discardableResult
  public mutating func add(_ element: Element) -> Bool {
    storage.add(element)
  }

  /// Adds those elements at the end whose ids are unknown, in their order: O(k log n) for k elements.
  ///
  /// Of several with the same id the first one is added.
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

  /// Puts an element in the place of the one with its id, or at the end if its id is unknown.
  ///
  /// O(log n) then, O(1) before.
  @inlinable
  public mutating func set(_ element: Element) {
    upsert(element) { $0 = $1 }
  }

  /// Puts elements in the places of those with their ids, or at the end if their ids are unknown: O(k log n)
  /// for k elements.
  ///
  /// Of several with the same id the last one stands, where the first one came.
  @inlinable
  public mutating func set(contentsOf elements: some Sequence<Element>) {
    upsert(contentsOf: elements) { $0 = $1 }
  }

  /// Replaces all elements by others, in their order: O(n).
  ///
  /// Of several with the same id the last one stands, where it stands. ``changedIDs(since:)`` does not reach
  /// back beyond this; ``difference(from:)`` does.
  @inlinable
  public mutating func setAll(_ elements: some Sequence<Element>) {
    let new = OrderedState(elements, shape: storage.shape)
    if new.isEmpty && isEmpty { return }
    self = new
  }

  // MARK: - Merging

  /// Merges an element into the one with its id, where it stands, or adds it at the end if its id is unknown.
  ///
  /// O(1), or O(log n) if it is added.
  ///
  /// - Parameters:
  ///   - element: The element that has come.
  ///   - merge: Changes the element that is there by the one that has come. Without it, the new one replaces
  ///     the old.
  @inlinable
  public mutating func upsert(
    _ element: Element, merging merge: (_ old: inout Element, _ new: Element) -> Void = { $0 = $1 }
  ) {
    storage.upsert(element, merge)
  }

  /// Merges elements into those with their ids, or adds them at the end if their ids are unknown: O(k log n)
  /// for k elements.
  ///
  /// Of several with the same id each is merged into what the one before has left.
  ///
  /// - Parameters:
  ///   - elements: The elements that have come.
  ///   - merge: Changes an element that is there by the one that has come. Without it, the new one replaces
  ///     the old.
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
