/// What an ``OrderedState`` is made of.
///
/// Elements stand in leaves of up to 64, which have numbers. A tree keeps the order of the leaves, an index
/// leads from an id's hash to a leaf and a slot in it, and a journal remembers which ids have changed. Each
/// of them is a structure of small arrays, of which copies share those that neither has changed.
///
/// The methods here ask for what callers have looked up: ids that are there, or are not, and positions in
/// range.
@usableFromInline
struct ListStorage<Element: Identifiable> {
  /// The elements of each leaf, one after the other.
  @usableFromInline var leaves = NumberedTable<ContiguousArray<Element>>()
  /// Where in its leaf each of them is.
  ///
  /// Apart from them, since most changes leave it alone.
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
  static func hash(_ id: Element.ID) -> UInt64 { HashIndex.hash(id.hashValue) }

  /// Where the element with an id is kept.
  @inlinable @inline(__always)
  func location(of id: Element.ID) -> Location? {
    index.location(of: ListStorage.hash(id)) { location in
      let position = slots[location.leaf].position(of: location.slot)
      return leaves[location.leaf][position].id == id
    }
  }

  @inlinable @inline(__always)
  func element(with id: Element.ID) -> Element? {
    guard let location = location(of: id) else { return nil }
    let position = slots[location.leaf].position(of: location.slot)
    return leaves[location.leaf][position]
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
