/// Which leaves two versions of a list do not share.
///
/// Leaves at the beginning and at the end that both have in the same order are left out altogether. Of those
/// between, the ones that both have stand for all their elements at once.
@usableFromInline
struct LeafComparison {
  /// A leaf between the common beginning and the common end.
  @usableFromInline
  struct Part {
    @usableFromInline let leaf: Int
    /// Whether the other version has the same leaf, anywhere between.
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

  /// The elements of the new version that may differ.
  @inlinable
  func newElements<Element>(in storage: ListStorage<Element>) -> [Element] {
    new.lazy.filter { !$0.isShared }.flatMap { storage.leaves[$0.leaf] }
  }

  /// The elements of the old version that may differ.
  @inlinable
  func oldElements<Element>(in storage: ListStorage<Element>) -> [Element] {
    old.lazy.filter { !$0.isShared }.flatMap { storage.leaves[$0.leaf] }
  }

  /// The ids of the elements that both versions have, and that do not keep their order.
  @inlinable
  func moved<Element>(
    from oldStorage: ListStorage<Element>, to newStorage: ListStorage<Element>
  ) -> [Element.ID] {
    // Where each leaf that is shared, and each element of the others, was.
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
    // In the order in which they are now.
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
  /// Whether the two are one and the same in memory, and so have the same elements for sure.
  @inlinable
  func isIdentical(to other: ContiguousArray) -> Bool {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress && $0.count == mine.count }
    }
  }
}
