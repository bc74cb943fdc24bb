/// The difference between two versions of a list.
///
/// An id is in at most one of ``inserted`` and ``removed``. An id that is in neither
/// ``inserted`` nor ``removed`` can be in ``moved``, in ``updated``, or in both.
public struct OrderedStateDifference<ID: Hashable> {
  /// The ids that were inserted, in the order of the new version.
  public let inserted: [ID]
  /// The ids that were removed, in the order of the old version.
  public let removed: [ID]
  /// The ids of the moved elements that are in both versions, in the order of the new version.
  ///
  /// The number of moved ids is minimal, and all other elements keep their order. A block of
  /// unchanged elements is moved or kept as a whole.
  public let moved: [ID]
  /// The ids of the elements that differ, in the order of the new version.
  public let updated: [ID]

  /// A Boolean value that indicates whether there is no difference between the versions.
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
  /// Returns the insertions, removals, moves, and updates that turn another version into this
  /// version.
  ///
  /// Versions of one list share unchanged elements. The comparison skips up to 64 shared
  /// elements in one step. The comparison takes O(n / 64 + k log k) time for k elements in the
  /// leaves that differ. Unrelated lists are compared element by element.
  ///
  /// - Parameter old: The previous version.
  @inlinable
  public func difference(from old: OrderedState) -> OrderedStateDifference<Element.ID> {
    difference(from: old, by: ==)
  }
}

extension OrderedState {
  /// Returns the insertions, removals, moves, and updates that turn another version into this
  /// version.
  ///
  /// - Parameters:
  ///   - old: The previous version.
  ///   - areEqual: A closure that returns whether two elements with the same id are equal.
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
