/// The order of the leaves, and the number of elements in each leaf.
///
/// The structure is a tree of groups with at most 32 children. The groups of the lowest level
/// contain leaves, and the other groups contain groups. Leaves and groups are numbered, and the
/// tree stores the number of each parent. Therefore, finding the position of a leaf, or the leaf
/// at a position, takes O(log n) time. Because groups are referenced by number, a copy shares
/// all unchanged groups, even though the tree has links in both directions.
@usableFromInline
struct OrderTree: Sendable {
  @usableFromInline
  struct Child: Sendable {
    @usableFromInline let number: Int
    @usableFromInline var count: Int
  }

  struct Group: Sendable {
    /// The number of the parent, or the next free number if this number is not in use.
    var parent: Int
    var children: ContiguousArray<Child> = []

    /// Returns the index of a child, which must exist.
    func index(of number: Int) -> Int {
      var index = 0
      while children[index].number != number { index += 1 }
      return index
    }

    var total: Int { children.reduce(0) { $0 + $1.count } }

    /// Adds a difference to the number of elements of a child, and returns the parent.
    mutating func add(_ difference: Int, to number: Int) -> Int {
      children[index(of: number)].count += difference
      return parent
    }

    /// Adds a difference to the number of elements of the child at an offset, which becomes the
    /// offset in the child, and returns the child.
    mutating func add(_ difference: Int, at offset: inout Int) -> Int {
      let last = children.count - 1
      var index = 0
      var count = children[0].count
      while offset >= count, index < last {
        offset -= count
        index += 1
        count = children[index].count
      }
      children[index].count = count + difference
      return children[index].number
    }
  }

  struct Level: Sendable {
    var groups = NumberedTable<Group>()
    var free = -1
  }

  /// The parent of each leaf, or the next free number if the number of the leaf is not in use.
  var parents = NumberedTable<Int>()
  var freeLeaf = -1
  /// The levels of the tree, from the groups of leaves to the root.
  var levels = [Level()]
  var root = 0
  /// The maximum number of children of a group.
  let capacity: Int

  @usableFromInline
  init(capacity: Int) {
    self.capacity = capacity
    root = newGroup(level: 0, parent: -1)
  }

  // MARK: - Finding

  /// Returns the leaf that contains the element at a position, and the offset of the element in
  /// the leaf.
  @usableFromInline
  func find(_ position: Int) -> (leaf: Int, offset: Int) {
    var number = root
    var offset = position
    for level in levels.reversed() {
      let children = level.groups[number].children
      var index = 0
      while offset >= children[index].count {
        offset -= children[index].count
        index += 1
      }
      number = children[index].number
    }
    return (number, offset)
  }

  /// Returns the number of elements before a leaf.
  @usableFromInline
  func position(of leaf: Int) -> Int {
    var position = 0
    var number = leaf
    var parent = parents[leaf]
    for level in levels {
      let children = level.groups[parent].children
      var index = 0
      while children[index].number != number {
        position += children[index].count
        index += 1
      }
      number = parent
      parent = level.groups[parent].parent
    }
    return position
  }

  /// The last leaf of the list.
  @usableFromInline var last: Int? {
    var number = root
    for level in levels.indices.reversed() {
      guard let child = levels[level].groups[number].children.last else { return nil }
      number = child.number
    }
    return number
  }

  /// The leaves of the first group.
  @usableFromInline var firstLeaves: ContiguousArray<Child> {
    var number = root
    for level in levels.indices.dropFirst().reversed() {
      number = levels[level].groups[number].children[0].number
    }
    return levels[0].groups[number].children
  }

  /// Returns the leaves of the group after the group of a leaf, or an empty array after the last
  /// group.
  @usableFromInline
  func leaves(after leaf: Int) -> ContiguousArray<Child> {
    var number = parents[leaf]
    for level in levels.indices.dropFirst() {
      let parent = levels[level - 1].groups[number].parent
      let index = levels[level].groups[parent].index(of: number) + 1
      if index < levels[level].groups[parent].children.count {
        number = levels[level].groups[parent].children[index].number
        for level in (1..<level).reversed() { number = levels[level].groups[number].children[0].number }
        return levels[0].groups[number].children
      }
      number = parent
    }
    return []
  }

  /// The numbers of all leaves, in list order.
  @usableFromInline var allLeaves: [Int] {
    var all: [Int] = []
    var some = firstLeaves
    while let last = some.last {
      all += some.map(\.number)
      some = leaves(after: last.number)
    }
    return all
  }

  /// Returns the leaves next to a leaf in the same group, with the number of elements in each of
  /// them.
  @usableFromInline
  func neighbours(
    of leaf: Int
  ) -> (before: (leaf: Int, count: Int)?, after: (leaf: Int, count: Int)?) {
    let group = levels[0].groups[parents[leaf]]
    let index = group.index(of: leaf)
    let before = index > 0 ? group.children[index - 1] : nil
    let after = index + 1 < group.children.count ? group.children[index + 1] : nil
    return (before.map { ($0.number, $0.count) }, after.map { ($0.number, $0.count) })
  }
}
