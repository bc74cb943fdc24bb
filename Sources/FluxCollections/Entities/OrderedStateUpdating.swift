extension OrderedState {
  /// Changes the element with an id in place.
  ///
  /// O(1), and O(log n) when it takes another id.
  ///
  /// An element whose id has been changed stays where it stands, and another one that had the new id gives
  /// way.
  ///
  /// - Returns: Whether there is such an element; if not, nothing has changed.
  @inlinable @discardableResult
  public mutating func update(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    storage.update(id, body)
  }

  /// Changes the element at a position in place.
  ///
  /// O(log n).
  ///
  /// An element whose id has been changed stays where it stands, and another one that had the new id gives
  /// way.
  ///
  /// - Returns: Whether the position is in range; if not, nothing has changed.
  @inlinable @discardableResult
  public mutating func update(at position: Int, _ body: (inout Element) -> Void) -> Bool {
    guard indices.contains(position) else { return false }
    storage.update(at: position, body)
    return true
  }

  /// Changes the elements with some ids in place, one after the other: O(k) for k ids.
  ///
  /// Unknown ids are passed over. An id that comes several times is changed as often, and one that another
  /// change has given away or taken is looked for anew.
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

  /// Changes all elements in place, in their order, each once: O(n).
  ///
  /// An element that takes the id of another one makes that give way, whether it has had its turn or not.
  @inlinable
  public mutating func updateAll(_ body: (inout Element) -> Void) {
    guard !isEmpty else { return }
    // The ids that elements have now which were changed already.
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
