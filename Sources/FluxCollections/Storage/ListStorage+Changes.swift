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

  /// Records a change whose ids are not recorded individually.
  @inlinable
  mutating func noteEverything() {
    journal.forget(at: stamp)
  }

  // MARK: - Inserting

  /// Inserts an element with an unknown id at a position from zero to the number of elements.
  @inlinable
  mutating func insert(_ element: Element, at position: Int) {
    let (leaf, offset) = makeRoom(at: position)
    let hash = ListStorage.hash(element.id)
    let slot = put(element, at: offset, of: leaf)
    index.insert(hash, at: Location(leaf: leaf, slot: slot))
    order.add(1, to: leaf)
  }

  /// Returns a leaf that has room for a new element at a position, and the offset of the new
  /// element in the leaf.
  @inlinable
  mutating func makeRoom(at position: Int) -> (leaf: Int, offset: Int) {
    let isAtEnd = position == count
    guard let last = order.last else { return (newLeaf(order.insertOnly()), 0) }
    let (leaf, offset) = isAtEnd ? (last, leaves[last].count) : order.find(position)
    if leaves[leaf].count < shape.leaf { return (leaf, offset) }
    // If elements are only appended or only prepended, full leaves are not split.
    if isAtEnd { return (newLeaf(order.insert(beside: leaf, after: true)), 0) }
    if position == 0 { return (newLeaf(order.insert(beside: leaf, after: false)), 0) }
    let new = split(leaf)
    let kept = leaves[leaf].count
    return offset <= kept ? (leaf, offset) : (new, offset - kept)
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
  mutating func put(_ element: Element, at offset: Int, of leaf: Int) -> Int {
    leaves[leaf].insert(element, at: offset)
    return slots[leaf].insert(at: offset, count: leaves[leaf].count - 1)
  }

  @inlinable
  mutating func take(at offset: Int, of leaf: Int) -> Element {
    _ = slots[leaf].remove(at: offset, count: leaves[leaf].count)
    return leaves[leaf].remove(at: offset)
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
      // Slots are removed from the end, so that no other slot moves.
      let slot = slots[leaf].remove(at: kept + offset, count: kept + offset + 1)
      index.relocate(
        ListStorage.hash(leaves[new][offset].id), from: Location(leaf: leaf, slot: slot),
        to: Location(leaf: new, slot: offset))
    }
    order.add(-moved, to: leaf)
    order.add(moved, to: new)
    return new
  }

  /// Moves an element from one leaf to another, without updating the tree.
  @inlinable
  mutating func moveElement(at position: Int, of leaf: Int, to target: Int, of other: Int) {
    let old = Location(leaf: leaf, slot: slots[leaf].slot(at: position))
    let element = take(at: position, of: leaf)
    let hash = ListStorage.hash(element.id)
    let slot = put(element, at: target, of: other)
    index.relocate(hash, from: old, to: Location(leaf: other, slot: slot))
  }

  // MARK: - Removing

  @inlinable
  mutating func remove(at position: Int) -> Element {
    let (leaf, offset) = order.find(position)
    return remove(at: offset, of: leaf)
  }

  @inlinable
  mutating func remove(at location: Location) -> Element {
    remove(at: slots[location.leaf].position(of: location.slot), of: location.leaf)
  }

  @inlinable
  mutating func remove(at offset: Int, of leaf: Int) -> Element {
    let location = Location(leaf: leaf, slot: slots[leaf].slot(at: offset))
    let element = take(at: offset, of: leaf)
    index.remove(ListStorage.hash(element.id), at: location)
    order.add(-1, to: leaf)
    if leaves[leaf].count < max(1, shape.leaf / 4) { merge(leaf) }
    return element
  }

  /// Merges a leaf that has few elements with an adjacent leaf, if the result has room to spare.
  @inlinable
  mutating func merge(_ leaf: Int) {
    let mine = leaves[leaf].count
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
    index.remove(ListStorage.hash(old), at: location)
    // The element is not in the index at this point, so the search can find only another
    // element.
    let other = self.location(of: new)
    index.insert(ListStorage.hash(new), at: location)
    note(new)
    if let other { _ = remove(at: other) }
  }
}
