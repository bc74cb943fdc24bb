/// The order in which the leaves stand, and how many elements there are in each.
///
/// A tree of groups of at most 32: those of the lowest level hold leaves, those above hold groups. Leaves and
/// groups have numbers, and know the group they stand in, so that the way goes up as well as down: from a
/// leaf to its position and from a position to its leaf, in O(log n). Since groups are found by number, a
/// copy shares all that it does not change, though there are links in both directions.
@usableFromInline
struct OrderTree: Sendable {
  @usableFromInline
  struct Child: Sendable {
    @usableFromInline let number: Int
    @usableFromInline var count: Int
  }

  struct Group: Sendable {
    /// The group above; the next free number, for a number that is not in use.
    var parent: Int
    var children: ContiguousArray<Child> = []

    /// The place of a child that is known to be there.
    func index(of number: Int) -> Int {
      var index = 0
      while children[index].number != number { index += 1 }
      return index
    }

    var total: Int { children.reduce(0) { $0 + $1.count } }
  }

  struct Level: Sendable {
    var groups = NumberedTable<Group>()
    var free = -1
  }

  /// The group that each leaf stands in; the next free number, for a number that is not in use.
  var parents = NumberedTable<Int>()
  var freeLeaf = -1
  /// From the groups of leaves up to the root's level.
  var levels = [Level()]
  var root = 0
  /// How many children a group has at most.
  let capacity: Int

  @usableFromInline
  init(capacity: Int) {
    self.capacity = capacity
    root = newGroup(level: 0, parent: -1)
  }

  // MARK: - Finding

  /// The leaf that the element at a position is in, and where in it.
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

  /// How many elements stand before a leaf.
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

  /// The last leaf of all.
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

  /// The leaves of the group after that of a leaf; none after the last.
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

  /// The leaves in their order.
  @usableFromInline var allLeaves: [Int] {
    var all: [Int] = []
    var some = firstLeaves
    while let last = some.last {
      all += some.map(\.number)
      some = leaves(after: last.number)
    }
    return all
  }

  /// The leaves beside a leaf in its group, and how many elements they have.
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
