extension OrderedState {
  /// Changes the element with an id in place.
  ///
  /// O(1), or O(log n) if the id of the element changes.
  ///
  /// If the id changes, the element keeps its position, and any other element with the new id
  /// is removed.
  ///
  /// - Returns: A Boolean value that indicates whether the id is known. If it is unknown, the
  ///   list did not change.
  @inlinable @discardableResult
  public mutating func update(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    storage.update(id, body)
  }

  /// Changes the element at a position in place.
  ///
  /// O(log n).
  ///
  /// If the id changes, the element keeps its position, and any other element with the new id
  /// is removed.
  ///
  /// - Returns: A Boolean value that indicates whether the position is in range. If it is not,
  ///   the list did not change.
  @inlinable @discardableResult
  public mutating func update(at position: Int, _ body: (inout Element) -> Void) -> Bool {
    guard indices.contains(position) else { return false }
    storage.update(at: position, body)
    return true
  }

  /// Changes the elements with some ids in place, one after another.
  ///
  /// O(k) for k ids. Unknown ids are ignored. If an id is repeated, its element is changed each
  /// time. If a change assigns another id to an element, the remaining ids are looked up in the
  /// changed list.
  @inlinable
  public mutating func update(_ ids: some Sequence<Element.ID>, _ body: (inout Element) -> Void) {
    var hasBegun = false
    for id in ids {
      guard let location = storage.location(of: id) else { continue }
      if !hasBegun { storage.beginChange() }
      hasBegun = true
      storage.modify(id, at: location, body)
    }
  }

  /// Changes all elements in place, in order.
  ///
  /// O(n). Each element is changed once. If the closure gives an element the id of another
  /// element, the other element is removed, whether it was already changed or not.
  @inlinable
  public mutating func updateAll(_ body: (inout Element) -> Void) {
    guard !isEmpty else { return }
    // The new ids of elements that were already changed.
    var taken: Set<Element.ID> = []
    let ids = ids
    storage.beginChange()
    for id in ids where taken.isEmpty || !taken.contains(id) {
      guard let location = storage.location(of: id) else { continue }
      var new = id
      storage.modify(id, at: location) { element in
        body(&element)
        new = element.id
      }
      if new != id { taken.insert(new) }
    }
  }
}
