extension ListStorage {
  /// Creates a storage that contains elements in the given order, or returns `nil` if an id is
  /// repeated.
  ///
  /// A quarter of each leaf is left free, so that the first insertions do not split the leaf.
  @inlinable
  static func filled(with elements: some Sequence<Element>, shape: ListShape) -> ListStorage? {
    var new = ListStorage(shape: shape)
    new.index = HashIndex(expecting: elements.underestimatedCount)
    var leaf: ContiguousArray<Element> = []
    let most = max(1, shape.leaf * 3 / 4)
    leaf.reserveCapacity(most)
    for element in elements {
      if leaf.count == most {
        new.appendLeaf(leaf)
        leaf = []
        leaf.reserveCapacity(most)
      }
      let hash = new.hash(element.id)
      let number = new.leaves.count
      let known: Location? = new.index.first(at: hash) { location in
        let other = location.leaf == number ? leaf[location.slot] : new.leaves[location.leaf][location.slot]
        return other.id == element.id ? location : nil
      }
      if known != nil { return nil }
      new.index.insert(hash, at: Location(leaf: number, slot: leaf.count))
      leaf.append(element)
    }
    if !leaf.isEmpty { new.appendLeaf(leaf) }
    return new
  }

  /// Appends a leaf of elements.
  ///
  /// The index must already contain the elements, and the slot of each element must be its offset
  /// in the leaf.
  @inlinable
  mutating func appendLeaf(_ elements: ContiguousArray<Element>) {
    let number = order.last.map { last in order.insert(beside: last, after: true) } ?? order.insertOnly()
    leaves.append(elements)
    slots.append(SlotMap(count: elements.count))
    order.add(elements.count, to: number)
  }
}
