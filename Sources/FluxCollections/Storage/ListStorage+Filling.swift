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

  /// Adds the elements whose ids are unknown to the end, in the given order.
  ///
  /// The tables and the tree change once for each leaf that receives elements, and not once for
  /// each element.
  @inlinable
  mutating func add(contentsOf elements: some Sequence<Element>) {
    var leaf = OpenLeaf<Element>()
    for element in elements {
      let hash = hash(element.id)
      let known: Location? = index.first(at: hash) { location in
        let other = location.leaf == leaf.number ? leaf[location.slot] : self[location]
        return other.id == element.id ? location : nil
      }
      if known != nil { continue }
      if leaf.number < 0 {
        beginChange()
        leaf = openLast()
      }
      if leaf.elements.count == shape.leaf {
        close(&leaf)
        leaf = open(order.insert(beside: leaf.number, after: true))
        leaf.elements.reserveCapacity(shape.leaf)
      }
      note(element.id)
      index.insert(hash, at: leaf.append(element))
    }
    if leaf.number >= 0 { close(&leaf) }
  }

  @inlinable @inline(__always)
  subscript(location: Location) -> Element {
    leaves[location.leaf][slots[location.leaf].position(of: location.slot)]
  }

  @inlinable
  mutating func openLast() -> OpenLeaf<Element> { open(order.last ?? order.insertOnly()) }

  /// Takes a leaf out of the tables until the leaf is closed.
  @inlinable
  mutating func open(_ number: Int) -> OpenLeaf<Element> {
    var leaf = OpenLeaf<Element>()
    leaf.number = newLeaf(number)
    swap(&leaf.elements, &leaves[number])
    swap(&leaf.slots, &slots[number])
    leaf.counted = leaf.elements.count
    return leaf
  }

  /// Puts a leaf back into the tables, and counts its new elements in the tree.
  @inlinable
  mutating func close(_ leaf: inout OpenLeaf<Element>) {
    order.add(leaf.elements.count - leaf.counted, to: leaf.number)
    swap(&leaf.elements, &leaves[leaf.number])
    swap(&leaf.slots, &slots[leaf.number])
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

/// A leaf that is taken out of its storage while elements are appended to the leaf.
@usableFromInline
struct OpenLeaf<Element> {
  /// The number of the leaf, or -1 if there is no leaf.
  @usableFromInline var number = -1
  @usableFromInline var elements: ContiguousArray<Element> = []
  @usableFromInline var slots = SlotMap()
  /// The number of elements that the tree contains.
  @usableFromInline var counted = 0

  @inlinable
  init() {}

  /// The element in a slot.
  @inlinable @inline(__always)
  subscript(slot: Int) -> Element { elements[slots.position(of: slot)] }

  /// Appends an element, and returns its location.
  @inlinable @inline(__always)
  mutating func append(_ element: Element) -> Location {
    let slot = slots.take(for: elements.count)
    elements.append(element)
    return Location(leaf: number, slot: slot)
  }
}
