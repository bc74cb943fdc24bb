/// The leaves of two versions of a list, except for those that both versions share at the
/// beginning and at the end.
///
/// The comparison treats each remaining shared leaf as a unit, and does not examine the elements
/// of the leaf.
@usableFromInline
struct LeafComparison {
  /// A leaf that is not one of the shared leaves at the beginning or at the end of the lists.
  @usableFromInline
  struct Part {
    @usableFromInline let leaf: Int
    /// A Boolean value that indicates whether the other version contains the same leaf,
    /// unchanged.
    @usableFromInline let isShared: Bool

    @inlinable
    init(leaf: Int, isShared: Bool) {
      self.leaf = leaf
      self.isShared = isShared
    }
  }

  @usableFromInline let new: [Part]
  @usableFromInline let old: [Part]

  @inlinable
  init<Element>(_ newStorage: ListStorage<Element>, old oldStorage: ListStorage<Element>) {
    func areShared(_ new: Int, _ old: Int) -> Bool {
      new == old && newStorage.leaves[new].isIdentical(to: oldStorage.leaves[old])
    }
    let all = newStorage.order.allLeaves
    let others = oldStorage.order.allLeaves
    let most = min(all.count, others.count)
    var start = 0
    while start < most, areShared(all[start], others[start]) { start += 1 }
    var end = 0
    while end < most - start, areShared(all[all.count - 1 - end], others[others.count - 1 - end]) { end += 1 }
    let new = all[start..<all.count - end]
    let old = others[start..<others.count - end]
    let among = Set(old)
    let shared = Set(new.filter { among.contains($0) && areShared($0, $0) })
    self.new = new.map { Part(leaf: $0, isShared: shared.contains($0)) }
    self.old = old.map { Part(leaf: $0, isShared: shared.contains($0)) }
  }

  /// Returns the elements of the new version that can differ.
  @inlinable
  func newElements<Element>(in storage: ListStorage<Element>) -> [Element] {
    new.lazy.filter { !$0.isShared }.flatMap { storage.leaves[$0.leaf] }
  }

  /// Returns the elements of the old version that can differ.
  @inlinable
  func oldElements<Element>(in storage: ListStorage<Element>) -> [Element] {
    old.lazy.filter { !$0.isShared }.flatMap { storage.leaves[$0.leaf] }
  }

  /// Returns the ids of the elements that are in both versions, but not in the same relative
  /// order.
  @inlinable
  func moved<Element>(
    from oldStorage: ListStorage<Element>, to newStorage: ListStorage<Element>
  ) -> [Element.ID] {
    // The previous ranks of the shared leaves, and of the elements in the leaves that are not
    // shared.
    var leafRanks: [Int: Int] = [:]
    var ranks: [Element.ID: Int] = [:]
    var rank = 0
    for part in old {
      if part.isShared {
        leafRanks[part.leaf] = rank
        rank += 1
      } else {
        for element in oldStorage.leaves[part.leaf] {
          ranks[element.id] = rank
          rank += 1
        }
      }
    }
    // The shared leaves, and the elements in the leaves that are not shared, in their new order.
    var units: [(part: Part, offset: Int?)] = []
    var sequence: [WeightedRank] = []
    for part in new {
      let elements = newStorage.leaves[part.leaf]
      if part.isShared, let rank = leafRanks[part.leaf] {
        units.append((part, nil))
        sequence.append(WeightedRank(rank: rank, weight: elements.count))
      } else {
        for (offset, element) in elements.enumerated() {
          guard let rank = ranks[element.id] else { continue }
          units.append((part, offset))
          sequence.append(WeightedRank(rank: rank, weight: 1))
        }
      }
    }
    let keepsItsOrder = WeightedRank.heaviestAscent(in: sequence, ranks: rank)
    var moved: [Element.ID] = []
    for (index, unit) in units.enumerated() where !keepsItsOrder[index] {
      let elements = newStorage.leaves[unit.part.leaf]
      if let offset = unit.offset {
        moved.append(elements[offset].id)
      } else {
        moved.append(contentsOf: elements.map(\.id))
      }
    }
    return moved
  }
}

extension ContiguousArray {
  /// Returns a Boolean value that indicates whether two arrays share their memory.
  ///
  /// Arrays that share their memory have the same elements.
  @inlinable
  func isIdentical(to other: ContiguousArray) -> Bool {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress && $0.count == mine.count }
    }
  }
}
