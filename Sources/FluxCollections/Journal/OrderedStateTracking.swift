package import FluxCore

extension OrderedState: ChangeTracking {
  /// What has to be done to make this version of another one, by what the journal of the later one knows, and where
  /// that does not reach, by what the two do not share.
  ///
  /// O(k log n) for k changes that the journal knows; otherwise O(n / 64 + k log n), with k elements in the leaves that
  /// differ.
  package func changes(
    since old: OrderedState, lookingAtMost most: Int, areAlike: (Element, Element) -> Bool
  ) -> [PartChange<Element>]? {
    if stamp == old.stamp { return [] }
    let pair = VersionPair(old: old, new: self)
    if let ids = changedIDs(since: old.stamp) ?? old.changedIDs(since: stamp) {
      return ids.count > most ? nil : pair.changes(of: ids, areAlike: areAlike)
    }
    return pair.changesOfLeaves(lookingAtMost: most, areAlike: areAlike)
  }
}

/// Two versions of a list, and what became of elements of the one in the other.
private struct VersionPair<Element: Identifiable> {
  typealias Change = PartChange<Element>

  let old: OrderedState<Element>
  let new: OrderedState<Element>

  /// What became of elements, when it is known that all others are what they were, in the order that they had.
  func changes(of ids: [Element.ID], areAlike: (Element, Element) -> Bool) -> [Change] {
    if ids.count == 1, let id = ids.first { return changes(of: id, areAlike) }
    let before = ids.lazy.compactMap(old.place(of:)).sorted { $0.position < $1.position }
    let after = ids.lazy.compactMap(new.place(of:)).sorted { $0.position < $1.position }
    let moved = moved(from: before, to: after)
    return before.filter { !new.contains(id: $0.element.id) }.map { removal($0.element) }
      + after.flatMap { changes(of: $0.element, hasMoved: moved.contains($0.element.id), areAlike) }
  }

  /// What became of the elements of leaves that the two do not share; `nil` if those are more than may be looked at.
  func changesOfLeaves(
    lookingAtMost most: Int, areAlike: (Element, Element) -> Bool
  ) -> [Change]? {
    let leaves = LeafComparison(new.storage, old: old.storage)
    guard leaves.newCount(in: new.storage) <= most, leaves.oldCount(in: old.storage) <= most else {
      return nil
    }
    let removed = leaves.oldElements(in: old.storage).filter { !new.contains(id: $0.id) }
    var changes: [(position: Int, changes: [Change])] = []
    var moved = Set(leaves.moved(from: old.storage, to: new.storage))
    for element in leaves.newElements(in: new.storage) {
      let hasMoved = moved.remove(element.id) != nil
      let found = self.changes(of: element, hasMoved: hasMoved, areAlike)
      if !found.isEmpty { changes.append((new.position(of: element.id) ?? 0, found)) }
    }
    // Those of leaves that both have.
    for place in moved.compactMap(new.place(of:)) {
      let change = Change(id: place.element.id, kind: .moved(place.element, to: place.position))
      changes.append((place.position, [change]))
    }
    return removed.map(removal) + changes.sorted { $0.position < $1.position }.flatMap(\.changes)
  }

  /// What became of an element when all others are what they were: mostly one has changed.
  private func changes(of id: Element.ID, _ areAlike: (Element, Element) -> Bool) -> [Change] {
    guard let element = new[id: id] else { return old[id: id].map { [removal($0)] } ?? [] }
    return changes(of: element, hasMoved: old.position(of: id) != new.position(of: id), areAlike)
  }

  private func removal(_ element: Element) -> Change { Change(id: element.id, kind: .removed(element)) }

  /// What became of an element of the new version.
  private func changes(
    of element: Element, hasMoved: Bool, _ areAlike: (Element, Element) -> Bool
  ) -> [Change] {
    let id = element.id
    guard let before = old[id: id] else { return [Change(id: id, kind: .inserted(element))] }
    let moves = hasMoved ? Change(id: id, kind: .moved(element, to: new.position(of: id) ?? 0)) : nil
    let updates = areAlike(before, element) ? nil : Change(id: id, kind: .updated(from: before, to: element))
    return [moves, updates].compactMap(\.self)
  }

  /// Which of the elements that both have do not stand where they stood among the others.
  ///
  /// All that are not given keep their order, so that what stands behind as many of those as before has not moved past
  /// any; where several stand behind equally many, those have moved that the longest ascending part leaves over.
  private func moved(
    from before: [OrderedState<Element>.Place], to after: [OrderedState<Element>.Place]
  ) -> Set<Element.ID> {
    var ranks: [Element.ID: Int] = [:]
    for (rank, place) in before.enumerated() { ranks[place.element.id] = rank }
    var moved: Set<Element.ID> = []
    var staying: [(id: Element.ID, rank: Int)] = []
    for (index, place) in after.enumerated() {
      let id = place.element.id
      guard let rank = ranks[id] else { continue }
      if before[rank].position - rank == place.position - index {
        staying.append((id, rank))
      } else {
        moved.insert(id)
      }
    }
    let keepsItsOrder = WeightedRank.heaviestAscent(
      in: staying.map { WeightedRank(rank: $0.rank, weight: 1) }, ranks: before.count)
    for (item, keeps) in zip(staying, keepsItsOrder) where !keeps { moved.insert(item.id) }
    return moved
  }
}

extension OrderedState {
  /// An element and where it stands.
  fileprivate struct Place {
    let element: Element
    let position: Int
  }

  fileprivate func place(of id: Element.ID) -> Place? {
    guard let element = self[id: id], let position = position(of: id) else { return nil }
    return Place(element: element, position: position)
  }
}

extension LeafComparison {
  /// How many elements of the new version may differ.
  fileprivate func newCount<Element>(in storage: ListStorage<Element>) -> Int {
    new.lazy.filter { !$0.isShared }.reduce(0) { $0 + storage.leaves[$1.leaf].count }
  }

  /// How many elements of the old version may differ.
  fileprivate func oldCount<Element>(in storage: ListStorage<Element>) -> Int {
    old.lazy.filter { !$0.isShared }.reduce(0) { $0 + storage.leaves[$1.leaf].count }
  }
}
