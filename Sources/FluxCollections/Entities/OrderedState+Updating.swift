extension OrderedState {
  /// Changes the element with an id in place.
  ///
  /// The method takes O(1) time, or O(log n) time if the id of the element changes.
  ///
  /// If the id changes, the element keeps its position, and any other element with the new id
  /// is removed.
  ///
  /// - Returns: `true` if the id is known, or `false` if the id is unknown and the list did not
  ///   change.
  @inlinable @discardableResult
  public mutating func update(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    storage.update(id, body)
  }

  /// Changes the element at a position in place.
  ///
  /// - Complexity: O(log n).
  ///
  /// If the id changes, the element keeps its position, and any other element with the new id
  /// is removed.
  ///
  /// - Returns: `true` if the position is in range, or `false` if it is out of range and the
  ///   list did not change.
  @inlinable @discardableResult
  public mutating func update(at position: Int, _ body: (inout Element) -> Void) -> Bool {
    guard indices.contains(position) else { return false }
    storage.update(at: position, body)
    return true
  }

  /// Changes the elements with the given ids in place, one after another.
  ///
  /// Unknown ids are ignored. If an id is repeated, its element is changed once for each
  /// occurrence. If a change assigns another id to an element, the remaining ids are looked up
  /// in the changed list. The method takes O(k) time for k ids.
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

  /// Changes all elements in place, in list order.
  ///
  /// Each element is changed once. If the closure gives an element the id of another element, the
  /// other element is removed, even if the closure has already changed the other element. The
  /// method takes O(n) time.
  @inlinable
  public mutating func updateAll(_ body: (inout Element) -> Void) {
    guard !isEmpty else { return }
    // The new ids of the elements that have already been changed.
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
