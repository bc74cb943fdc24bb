extension OrderedState: Equatable where Element: Equatable {
  /// Whether two lists have equal elements in the same order.
  ///
  /// The stamps do not count; where they are the same, nothing needs comparing. O(n) otherwise, and for what
  /// two versions of a list share, one comparison for up to 64 elements. That a large list differs from the version
  /// before its last change is mostly known in O(log n).
  @inlinable
  public static func == (left: OrderedState, right: OrderedState) -> Bool {
    if left.stamp == right.stamp { return true }
    guard left.count == right.count else { return false }
    if left.count > largeCount, left.differsWhereChangedLast(from: right) { return false }
    var mine = left.makeIterator()
    var theirs = right.makeIterator()
    while true {
      mine.skipLeaves(sharedWith: &theirs)
      guard let my = mine.next() else { return true }
      if my != theirs.next() { return false }
    }
  }

  /// From so many elements on it takes longer to go through the leaves than to find an element.
  @inlinable static var largeCount: Int { 2_048 }

  /// Whether a list of equal length has another element where this one, or that one, was changed last.
  @inlinable
  func differsWhereChangedLast(from other: OrderedState) -> Bool {
    let newer = stamp.value > other.stamp.value ? self : other
    guard let id = newer.storage.journal.newest.last?.id, let position = newer.position(of: id) else {
      return false
    }
    return storage.element(at: position) != other.storage.element(at: position)
  }
}

extension OrderedState: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  ///
  /// O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
