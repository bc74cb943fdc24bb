extension OrderTree {
  // MARK: - Elements

  /// Adds a difference to the recorded number of elements in a leaf.
  @usableFromInline
  mutating func add(_ difference: Int, to leaf: Int) {
    var number = leaf
    var parent = parents[leaf]
    for level in levels.indices {
      let next = levels[level].groups[parent].add(difference, to: number)
      number = parent
      parent = next
    }
  }

  /// Records a new element at a position, and returns its leaf and its offset in the leaf.
  ///
  /// An element between two leaves is recorded in the second leaf. The method returns `nil` if
  /// there is no leaf.
  @usableFromInline
  mutating func addElement(at position: Int) -> (leaf: Int, offset: Int)? {
    if levels.count == 1, levels[0].groups[root].children.isEmpty { return nil }
    return descend(to: position, adding: 1)
  }

  /// Records the removal of the element at a position, and returns its leaf and its offset in
  /// the leaf.
  @usableFromInline
  mutating func removeElement(at position: Int) -> (leaf: Int, offset: Int) {
    descend(to: position, adding: -1)
  }

  private mutating func descend(to position: Int, adding difference: Int) -> (leaf: Int, offset: Int) {
    var number = root
    var offset = position
    for level in levels.indices.reversed() {
      number = levels[level].groups[number].add(difference, at: &offset)
    }
    return (number, offset)
  }

  // MARK: - Leaves

  /// Adds an empty leaf as the only leaf of the list.
  @usableFromInline
  mutating func insertOnly() -> Int {
    insert(in: root, at: 0)
  }

  /// Adds an empty leaf before or after another leaf.
  @usableFromInline
  mutating func insert(beside leaf: Int, after isAfter: Bool) -> Int {
    let group = parents[leaf]
    return insert(in: group, at: levels[0].groups[group].index(of: leaf) + (isAfter ? 1 : 0))
  }

  private mutating func insert(in group: Int, at index: Int) -> Int {
    let leaf = newLeaf(parent: group)
    insert(Child(number: leaf, count: 0), level: 0, in: group, at: index)
    return leaf
  }

  /// Removes an empty leaf.
  @usableFromInline
  mutating func remove(_ leaf: Int) {
    let group = parents[leaf]
    parents[leaf] = freeLeaf
    freeLeaf = leaf
    remove(leaf, level: 0, from: group)
  }

  // MARK: - Groups

  private mutating func insert(_ child: Child, level: Int, in group: Int, at index: Int) {
    levels[level].groups[group].children.insert(child, at: index)
    let count = levels[level].groups[group].children.count
    guard count > capacity else { return }
    // If elements are only appended, full groups are not split in half.
    split(group, level: level, at: index == count - 1 ? count - 1 : count / 2)
  }

  private mutating func split(_ group: Int, level: Int, at index: Int) {
    let moved = levels[level].groups[group].children[index...]
    levels[level].groups[group].children.removeSubrange(index...)
    if group == root, level == levels.count - 1 {
      let total = levels[level].groups[group].total
      levels.append(Level())
      root = newGroup(level: level + 1, parent: -1)
      levels[level + 1].groups[root].children = [Child(number: group, count: total)]
      levels[level].groups[group].parent = root
    }
    let parent = levels[level].groups[group].parent
    let new = newGroup(level: level, parent: parent)
    for child in moved { setParent(of: child.number, level: level, to: new) }
    levels[level].groups[new].children = ContiguousArray(moved)

    let place = levels[level + 1].groups[parent].index(of: group)
    levels[level + 1].groups[parent].children[place].count = levels[level].groups[group].total
    insert(
      Child(number: new, count: levels[level].groups[new].total), level: level + 1, in: parent, at: place + 1)
  }

  private mutating func remove(_ number: Int, level: Int, from group: Int) {
    let index = levels[level].groups[group].index(of: number)
    levels[level].groups[group].children.remove(at: index)
    let isRoot = level == levels.count - 1
    let count = levels[level].groups[group].children.count
    if isRoot {
      if count == 1, level > 0 { removeRoot() }
      return
    }
    let parent = levels[level].groups[group].parent
    if count == 0 {
      free(group, level: level)
      remove(group, level: level + 1, from: parent)
    } else if count < capacity / 4 {
      merge(group, level: level, in: parent)
    }
  }

  /// Merges a group that has few children with an adjacent group, if the result has room to
  /// spare.
  private mutating func merge(_ group: Int, level: Int, in parent: Int) {
    let siblings = levels[level + 1].groups[parent].children
    let index = levels[level + 1].groups[parent].index(of: group)
    let mine = levels[level].groups[group].children
    for place in [index - 1, index + 1] where siblings.indices.contains(place) {
      let other = siblings[place].number
      let room = capacity * 3 / 4 - levels[level].groups[other].children.count
      guard mine.count <= room else { continue }
      for child in mine { setParent(of: child.number, level: level, to: other) }
      let end = place < index ? levels[level].groups[other].children.count : 0
      levels[level].groups[other].children.insert(contentsOf: mine, at: end)
      levels[level + 1].groups[parent].children[place].count += siblings[index].count
      free(group, level: level)
      remove(group, level: level + 1, from: parent)
      return
    }
  }

  /// Replaces the root with its only child.
  private mutating func removeRoot() {
    root = levels[levels.count - 1].groups[root].children[0].number
    levels.removeLast()
    levels[levels.count - 1].groups[root].parent = -1
    if levels.count > 1, levels[levels.count - 1].groups[root].children.count == 1 { removeRoot() }
  }

  private mutating func setParent(of number: Int, level: Int, to group: Int) {
    if level == 0 {
      parents[number] = group
    } else {
      levels[level - 1].groups[number].parent = group
    }
  }

  // MARK: - Numbers

  private mutating func newLeaf(parent: Int) -> Int {
    let number = freeLeaf
    guard number >= 0 else {
      parents.append(parent)
      return parents.count - 1
    }
    freeLeaf = parents[number]
    parents[number] = parent
    return number
  }

  mutating func newGroup(level: Int, parent: Int) -> Int {
    let number = levels[level].free
    guard number >= 0 else {
      levels[level].groups.append(Group(parent: parent))
      return levels[level].groups.count - 1
    }
    levels[level].free = levels[level].groups[number].parent
    levels[level].groups[number].parent = parent
    return number
  }

  private mutating func free(_ group: Int, level: Int) {
    levels[level].groups[group] = Group(parent: levels[level].free)
    levels[level].free = group
  }
}
