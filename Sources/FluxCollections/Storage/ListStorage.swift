/// The storage of an ``OrderedState``.
///
/// The elements are in numbered leaves with up to 64 elements. A tree contains the order of the
/// leaves. An index contains the leaf and the slot of each id. A journal contains the ids that
/// have changed. The leaves, the tree, the index, and the journal consist of small arrays. Copies
/// of a storage share the arrays that no copy has changed.
///
/// The methods do not validate their arguments. Callers must check ids and positions first.
@usableFromInline
struct ListStorage<Element: Identifiable> {
  /// The elements of each leaf, in list order.
  @usableFromInline var leaves = NumberedTable<ContiguousArray<Element>>()
  /// The slots of the elements of each leaf.
  ///
  /// The slots are stored separately from the elements, because most changes do not affect the
  /// slots.
  @usableFromInline var slots = NumberedTable<SlotMap>()
  @usableFromInline var index = HashIndex()
  @usableFromInline var order: OrderTree
  @usableFromInline var journal: Journal<Element.ID>
  @usableFromInline var stamp: VersionStamp
  @usableFromInline let shape: ListShape

  @inlinable
  init(shape: ListShape, stamp: VersionStamp = .next()) {
    self.shape = shape
    order = OrderTree(capacity: shape.group)
    self.stamp = stamp
    journal = Journal(start: stamp)
  }

  @inlinable var count: Int { index.count }

  // MARK: - Finding

  @inlinable @inline(__always)
  func hash(_ id: Element.ID) -> UInt64 { index.hashing.hash(id) }

  /// Returns the location of the element with an id.
  @inlinable @inline(__always)
  func location(of id: Element.ID) -> Location? {
    index.first(at: hash(id)) { location in
      let position = slots[location.leaf].position(of: location.slot)
      return leaves[location.leaf][position].id == id ? location : nil
    }
  }

  @inlinable @inline(__always)
  func element(with id: Element.ID) -> Element? {
    element(at: hash(id)) { $0 == id }
  }

  /// Returns the element whose id has a hash and meets a condition.
  @inlinable @inline(__always)
  func element(at hash: UInt64, where hasID: (Element.ID) -> Bool) -> Element? {
    index.first(at: hash) { location in
      let position = slots[location.leaf].position(of: location.slot)
      return hasID(leaves[location.leaf][position].id) ? leaves[location.leaf][position] : nil
    }
  }

  @inlinable
  func element(at position: Int) -> Element {
    let (leaf, offset) = order.find(position)
    return leaves[leaf][offset]
  }

  @inlinable
  func position(of id: Element.ID) -> Int? {
    guard let location = location(of: id) else { return nil }
    return order.position(of: location.leaf) + slots[location.leaf].position(of: location.slot)
  }

  @inlinable
  func contains(_ id: Element.ID) -> Bool { location(of: id) != nil }
}

extension ListStorage: Sendable where Element: Sendable, Element.ID: Sendable {}
