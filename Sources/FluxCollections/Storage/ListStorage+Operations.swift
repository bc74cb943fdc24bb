// Each operation is a single access to the storage. If an operation used one access for the
// lookup and another access for the change, the operation would copy the values that the lookup
// reads.

extension ListStorage {
  @inlinable
  mutating func place(_ element: Element, at position: Int) {
    beginChange()
    if let known = location(of: element.id) { _ = remove(at: known) }
    insert(element, at: min(max(position, 0), count))
    note(element.id)
  }

  @inlinable
  mutating func add(_ element: Element) -> Bool {
    if contains(element.id) { return false }
    beginChange()
    insert(element, at: count)
    note(element.id)
    return true
  }

  @inlinable @inline(__always)
  mutating func update(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    guard let location = location(of: id) else { return false }
    beginChange()
    modify(id, at: location, body)
    return true
  }

  @inlinable
  mutating func update(at position: Int, _ body: (inout Element) -> Void) {
    let (leaf, offset) = order.find(position)
    beginChange()
    modify(
      leaves[leaf][offset].id, at: Location(leaf: leaf, slot: slots[leaf].slot(at: offset)), body)
  }

  @inlinable @inline(__always)
  mutating func upsert(_ element: Element, _ merge: (inout Element, Element) -> Void) {
    beginChange()
    if let location = location(of: element.id) {
      modify(element.id, at: location) { merge(&$0, element) }
    } else {
      insert(element, at: count)
      note(element.id)
    }
  }

  /// Replaces or removes the element with an id, and returns the previous element.
  ///
  /// The method does not record the change. A new element is inserted at the end.
  @inlinable
  mutating func exchange(_ id: Element.ID, with new: Element?) -> Element? {
    guard let location = location(of: id) else {
      if let new { insert(new, at: count) }
      return nil
    }
    guard let new else { return remove(at: location) }
    let position = slots[location.leaf].position(of: location.slot)
    let old = leaves[location.leaf][position]
    leaves[location.leaf][position] = new
    return old
  }

  @inlinable
  mutating func remove(_ id: Element.ID) -> Element? {
    guard let location = location(of: id) else { return nil }
    beginChange()
    note(id)
    return remove(at: location)
  }

  @inlinable
  mutating func move(from position: Int, to destination: Int) {
    beginChange()
    moveElement(from: position, to: destination)
  }

  @inlinable
  mutating func removeElement(at position: Int) -> Element {
    beginChange()
    let element = remove(at: position)
    note(element.id)
    return element
  }
}
