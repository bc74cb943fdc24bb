/// What makes one version of a list into another.
///
/// An id is in at most one of ``inserted`` and ``removed``; one that is in neither may be in ``moved``,
/// ``updated`` or both.
public struct OrderedStateDifference<ID: Hashable> {
  /// The ids that are new, in the order of the new version.
  public let inserted: [ID]
  /// The ids that have gone, in the order of the old version.
  public let removed: [ID]
  /// The ids that stand elsewhere among those that both versions have, in the order of the new version.
  ///
  /// As few as there can be: the others keep their order. Where a whole block of elements that were left
  /// alone has moved, it is weighed as one.
  public let moved: [ID]
  /// The ids whose elements differ, in the order of the new version.
  public let updated: [ID]

  /// Whether nothing differs.
  @inlinable public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty
  }

  @inlinable
  init(inserted: [ID], removed: [ID], moved: [ID], updated: [ID]) {
    self.inserted = inserted
    self.removed = removed
    self.moved = moved
    self.updated = updated
  }
}

extension OrderedStateDifference: Sendable where ID: Sendable {}
extension OrderedStateDifference: Equatable {}
extension OrderedStateDifference: Hashable {}

extension OrderedState where Element: Equatable {
  /// What has to be inserted, removed, moved and updated to make this version of another one.
  ///
  /// Versions of one list share what has not changed, and that is passed over, up to 64 elements at a time:
  /// with k elements in the leaves that differ it takes O(n / 64 + k log k). Lists that have nothing to do
  /// with each other are compared element by element.
  ///
  /// - Parameter old: The version before.
  @inlinable
  public func difference(from old: OrderedState) -> OrderedStateDifference<Element.ID> {
    difference(from: old, by: ==)
  }
}

extension OrderedState {
  /// What has to be inserted, removed, moved and updated to make this version of another one.
  ///
  /// - Parameters:
  ///   - old: The version before.
  ///   - areEqual: Whether two elements with the same id count as equal.
  @inlinable
  public func difference(
    from old: OrderedState, by areEqual: (Element, Element) throws -> Bool
  ) rethrows -> OrderedStateDifference<Element.ID> {
    if old.stamp == stamp {
      return OrderedStateDifference(inserted: [], removed: [], moved: [], updated: [])
    }
    let comparison = LeafComparison(storage, old: old.storage)
    var inserted: [Element.ID] = []
    var updated: [Element.ID] = []
    for element in comparison.newElements(in: storage) {
      if let before = old.storage.element(with: element.id) {
        if try !areEqual(before, element) { updated.append(element.id) }
      } else {
        inserted.append(element.id)
      }
    }
    let removed = comparison.oldElements(in: old.storage).map(\.id).filter { !contains(id: $0) }
    return OrderedStateDifference(
      inserted: inserted, removed: removed, moved: comparison.moved(from: old.storage, to: storage),
      updated: updated)
  }
}
