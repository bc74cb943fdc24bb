extension ListStorage {
  /// Begins a change, which gives the list a new stamp.
  @inlinable
  mutating func beginChange() {
    stamp = .next()
  }

  /// Records an id that the current change affects.
  @inlinable
  mutating func note(_ id: Element.ID) {
    journal.record(id, at: stamp)
  }

  /// Records that elements have changed, without recording their ids.
  @inlinable
  mutating func noteEverything() {
    journal.forget(at: stamp)
  }

  // MARK: - Inserting

  /// Inserts an element with an unknown id at a position from zero to the number of elements.
  @inlinable
  mutating func insert(_ element: Element, at position: Int) {
    let location = put(element, at: position)
    index.insert(hash(element.id), at: location)
  }

  /// Puts an element at a position, and returns its location, which is not yet in the index.
  @inlinable
  mutating func put(_ element: Element, at position: Int) -> Location {
    let (leaf, offset) = makeRoom(at: position)
    return put(element, at: offset, of: leaf)
  }

  /// Returns a leaf that has room for a new element at a position, and the offset of the new
  /// element in the leaf.
  ///
  /// After the call, the tree contains the new element.
  @inlinable
  mutating func makeRoom(at position: Int) -> (leaf: Int, offset: Int) {
    guard let (leaf, offset) = order.addElement(at: position) else {
      return makeRoom(inEmpty: order.insertOnly(), insteadOf: nil)
    }
    let count = leaves[leaf].count
    if count < shape.leaf { return (leaf, offset) }
    // If elements are only appended or only prepended, full leaves are not split.
    if offset == count || position == 0 {
      return makeRoom(inEmpty: order.insert(beside: leaf, after: offset == count), insteadOf: leaf)
    }
    let new = split(leaf)
    let kept = leaves[leaf].count
    if offset <= kept { return (leaf, offset) }
    order.add(-1, to: leaf)
    order.add(1, to: new)
    return (new, offset - kept)
  }

  /// Changes the tree so that it contains a new element in an empty leaf, and not in a full leaf.
  @inlinable
  mutating func makeRoom(inEmpty number: Int, insteadOf full: Int?) -> (leaf: Int, offset: Int) {
    if let full { order.add(-1, to: full) }
    order.add(1, to: number)
    return (newLeaf(number), 0)
  }

  @inlinable
  mutating func newLeaf(_ number: Int) -> Int {
    if number == leaves.count {
      leaves.append([])
      slots.append(SlotMap())
    }
    return number
  }

  @inlinable
  mutating func put(_ element: Element, at offset: Int, of leaf: Int) -> Location {
    leaves[leaf].insert(element, at: offset)
    return Location(leaf: leaf, slot: slots[leaf].insert(at: offset))
  }

  /// Takes an element out of a leaf, and returns its location, which is still in the index.
  @inlinable
  mutating func take(at offset: Int, of leaf: Int) -> (element: Element, location: Location) {
    let slot = slots[leaf].remove(at: offset)
    return (leaves[leaf].remove(at: offset), Location(leaf: leaf, slot: slot))
  }

  /// Moves the second half of a leaf's elements to a new leaf that follows the original leaf.
  @inlinable
  mutating func split(_ leaf: Int) -> Int {
    let new = newLeaf(order.insert(beside: leaf, after: true))
    let count = leaves[leaf].count
    let kept = count / 2
    let moved = count - kept
    leaves[new] = ContiguousArray(leaves[leaf][kept...])
    leaves[leaf].removeSubrange(kept...)
    slots[new] = SlotMap(count: moved)
    for offset in (0..<moved).reversed() {
      let slot = slots[leaf].remove(at: kept + offset)
      index.relocate(
        hash(leaves[new][offset].id), from: Location(leaf: leaf, slot: slot),
        to: Location(leaf: new, slot: offset))
    }
    order.add(-moved, to: leaf)
    order.add(moved, to: new)
    return new
  }

  /// Moves an element from one leaf to another, without updating the tree.
  @inlinable
  mutating func moveElement(at position: Int, of leaf: Int, to target: Int, of other: Int) {
    let (element, old) = take(at: position, of: leaf)
    let new = put(element, at: target, of: other)
    index.relocate(hash(element.id), from: old, to: new)
  }

  // MARK: - Removing

  @inlinable
  mutating func remove(at position: Int) -> Element {
    let (leaf, offset) = order.removeElement(at: position)
    return removeCounted(at: offset, of: leaf)
  }

  @inlinable
  mutating func remove(at location: Location) -> Element {
    order.add(-1, to: location.leaf)
    return removeCounted(at: slots[location.leaf].position(of: location.slot), of: location.leaf)
  }

  /// Removes an element that the tree no longer contains.
  @inlinable
  mutating func removeCounted(at offset: Int, of leaf: Int) -> Element {
    let (element, location) = take(at: offset, of: leaf)
    index.remove(hash(element.id), at: location)
    mergeIfSmall(leaf)
    return element
  }

  /// Merges a leaf that has few elements with an adjacent leaf, if the result has room to spare.
  @inlinable
  mutating func mergeIfSmall(_ leaf: Int) {
    let mine = leaves[leaf].count
    guard mine < max(1, shape.leaf / 4) else { return }
    if mine > 0 {
      let most = shape.leaf * 3 / 4 - mine
      let (before, after) = order.neighbours(of: leaf)
      if let before, before.count <= most {
        for _ in 0..<mine { moveElement(at: 0, of: leaf, to: leaves[before.leaf].count, of: before.leaf) }
        order.add(mine, to: before.leaf)
      } else if let after, after.count <= most {
        for _ in 0..<mine { moveElement(at: leaves[leaf].count - 1, of: leaf, to: 0, of: after.leaf) }
        order.add(mine, to: after.leaf)
      } else {
        return
      }
      order.add(-mine, to: leaf)
    }
    leaves[leaf] = []
    slots[leaf] = SlotMap()
    order.remove(leaf)
  }

  // MARK: - Moving

  /// Moves the element at a position to a position among the other elements.
  @inlinable
  mutating func moveElement(from position: Int, to destination: Int) {
    let (leaf, offset) = order.removeElement(at: position)
    let (element, old) = take(at: offset, of: leaf)
    let new = put(element, at: destination)
    index.relocate(hash(element.id), from: old, to: new)
    note(element.id)
    mergeIfSmall(leaf)
  }

  // MARK: - Changing in place

  /// Calls a closure with an element in place.
  ///
  /// If the closure changes the id of the element, the index is updated, and another element
  /// with the new id is removed.
  @inlinable @inline(__always)
  mutating func modify(_ id: Element.ID, at location: Location, _ body: (inout Element) -> Void) {
    let position = slots[location.leaf].position(of: location.slot)
    body(&leaves[location.leaf][position])
    note(id)
    let new = leaves[location.leaf][position].id
    if new != id { rename(from: id, to: new, at: location) }
  }

  /// Updates the index for an element whose id has changed.
  @inlinable
  mutating func rename(from old: Element.ID, to new: Element.ID, at location: Location) {
    index.remove(hash(old), at: location)
    // The element is not in the index at this point, so the search can find only another
    // element.
    let other = self.location(of: new)
    index.insert(hash(new), at: location)
    note(new)
    if let other { _ = remove(at: other) }
  }
}
