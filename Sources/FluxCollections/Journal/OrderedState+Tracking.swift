package import FluxCore

extension OrderedState: ChangeTracking {
  /// Returns the changes from another version to this version.
  ///
  /// The changes come from the journal of the later version. If the journal does not reach back
  /// to the other version, the changes come from a comparison of the leaves. The result is `nil`
  /// if more than `most` elements may have changed.
  ///
  /// The method takes O(k log n) time for k changes in the journal. A comparison of the leaves
  /// takes O(n / 64 + k log n) time for k elements in the leaves that differ.
  package func changes(
    since old: OrderedState, lookingAtMost most: Int, areAlike: (Element, Element) -> Bool
  ) -> [PartChange]? {
    contents.withValue { newStorage in
      old.contents.withValue { oldStorage in
        if newStorage.stamp == oldStorage.stamp { return [] }
        guard
          let ids = newStorage.journal.changes(since: oldStorage.stamp)
            ?? oldStorage.journal.changes(since: newStorage.stamp)
        else {
          return VersionPair(old: old, new: self).changesOfLeaves(lookingAtMost: most, areAlike: areAlike)
        }
        if ids.count > most { return nil }
        if ids.count == 1, let update = newStorage.update(of: ids[0], since: oldStorage, areAlike) {
          return update
        }
        return VersionPair(old: old, new: self).changes(of: ids, areAlike: areAlike)
      }
    }
  }
}

/// Two versions of a list, for finding the changes between them.
private struct VersionPair<Element: Identifiable> {
  typealias Change = PartChange

  let old: OrderedState<Element>
  let new: OrderedState<Element>

  /// Returns the changes to the elements with the given ids.
  ///
  /// All other elements must be unchanged and in the same order.
  func changes(of ids: [Element.ID], areAlike: (Element, Element) -> Bool) -> [Change] {
    if ids.count == 1, let id = ids.first { return changes(of: id, areAlike) }
    let before = ids.lazy.compactMap(old.place(of:)).sorted { $0.position < $1.position }
    let after = ids.lazy.compactMap(new.place(of:)).sorted { $0.position < $1.position }
    let moved = moved(from: before, to: after)
    return before.filter { !new.contains(id: $0.element.id) }.map { removal($0.element) }
      + after.flatMap { changes(of: $0.element, hasMoved: moved.contains($0.element.id), areAlike) }
  }

  /// Returns the changes to the elements in leaves that the versions do not share, or `nil` if
  /// there are too many elements.
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
    // The remaining moved elements are in leaves that both versions share.
    for place in moved.compactMap(new.place(of:)) {
      let change = Change(id: place.element.id, kind: .moved(place.element, to: place.position))
      changes.append((place.position, [change]))
    }
    return removed.map(removal) + changes.sorted { $0.position < $1.position }.flatMap(\.changes)
  }

  /// Returns the changes to the only element that has changed.
  private func changes(of id: Element.ID, _ areAlike: (Element, Element) -> Bool) -> [Change] {
    guard let element = new[id: id] else { return old[id: id].map { [removal($0)] } ?? [] }
    return changes(of: element, hasMoved: old.position(of: id) != new.position(of: id), areAlike)
  }

  private func removal(_ element: Element) -> Change { Change(id: element.id, kind: .removed(element)) }

  /// Returns the changes to an element of the new version.
  private func changes(
    of element: Element, hasMoved: Bool, _ areAlike: (Element, Element) -> Bool
  ) -> [Change] {
    let id = element.id
    guard let before = old[id: id] else { return [Change(id: id, kind: .inserted(element))] }
    var changes: [Change] = []
    if hasMoved { changes.append(Change(id: id, kind: .moved(element, to: new.position(of: id) ?? 0))) }
    if !areAlike(before, element) {
      changes.append(Change(id: id, kind: .updated(from: before, to: element)))
    }
    return changes
  }

  /// Returns the ids of the elements that are in both versions, and whose positions relative to
  /// other elements have changed.
  ///
  /// The elements that the parameters do not contain are called fixed elements, and keep their
  /// order. An element counts as moved if the number of fixed elements before the element differs
  /// between the two versions. From the other elements in the parameters, the method selects a
  /// longest sequence that is in the same order in both versions. The elements that the method
  /// does not select also count as moved.
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

extension ListStorage {
  /// Returns the update of the only element that has changed, or `nil` if the element may also
  /// have moved.
  ///
  /// An update in place is the most frequent case. It leaves the element at its place in the same
  /// leaf. The method therefore does not search for the element in the old version. The code is
  /// not specialized, so each search would also find the metadata of the leaves.
  fileprivate func update(
    of id: Element.ID, since old: borrowing ListStorage, _ areAlike: (Element, Element) -> Bool
  ) -> [PartChange]? {
    guard let location = location(of: id), location.leaf < old.leaves.count else { return nil }
    let offset = slots[location.leaf].position(of: location.slot)
    let newLeaf = leaves[location.leaf]
    let oldLeaf = old.leaves[location.leaf]
    guard offset < oldLeaf.count, oldLeaf[offset].id == id,
      order.position(of: location.leaf) == old.order.position(of: location.leaf)
    else { return nil }
    let before = oldLeaf[offset]
    let after = newLeaf[offset]
    return areAlike(before, after) ? [] : [PartChange(id: id, kind: .updated(from: before, to: after))]
  }
}

extension OrderedState {
  /// An element and its position.
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
  /// Returns the number of elements of the new version that can differ.
  fileprivate func newCount<Element>(in storage: ListStorage<Element>) -> Int {
    new.lazy.filter { !$0.isShared }.reduce(0) { $0 + storage.leaves[$1.leaf].count }
  }

  /// Returns the number of elements of the old version that can differ.
  fileprivate func oldCount<Element>(in storage: ListStorage<Element>) -> Int {
    old.lazy.filter { !$0.isShared }.reduce(0) { $0 + storage.leaves[$1.leaf].count }
  }
}

extension OrderedState {
  /// The identity of this version of the list.
  ///
  /// Copies of a list have the same stamp. Each change of a list gives the list a new stamp.
  ///
  /// Lists that were created empty, or emptied by ``removeAll()``, have the same stamp.
  ///
  /// An operation that changes nothing, such as removing an unknown id, does not change the
  /// stamp. Setting an element to its current value counts as a change. Each access takes O(1)
  /// time.
  @inlinable public var stamp: VersionStamp { storage.stamp }

  /// Returns the ids that were inserted, removed, changed, or moved since an earlier version of
  /// this list.
  ///
  /// Each id occurs once. The ids are in the order in which their elements first changed after
  /// the earlier version. The list records at least the last thousand changed ids, including the
  /// ids that were recorded before the list was copied. Initializers, ``removeAll()``,
  /// ``setAll(_:)``, and sorting discard the recorded ids. If the recorded ids do not reach back
  /// to the earlier version, the result is `nil`, and you can compare the versions with
  /// ``difference(from:)``. An element whose position changes only because of other elements does
  /// not count as moved.
  ///
  /// The method takes O(k) time for k changes since the earlier version.
  @inlinable
  public func changedIDs(since stamp: VersionStamp) -> [Element.ID]? {
    stamp == self.stamp ? [] : storage.journal.changes(since: stamp)
  }

  /// Returns the only id that has changed since an earlier version, or `nil` if there are
  /// several, or if only ``changedIDs(since:)`` can find it.
  @inlinable
  func onlyChangedID(since stamp: VersionStamp) -> Element.ID? {
    stamp == self.stamp ? nil : storage.journal.onlyChange(since: stamp)
  }
}
