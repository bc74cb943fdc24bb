extension OrderedState: Equatable where Element: Equatable {
  /// Whether two lists have equal elements in the same order.
  ///
  /// The stamps do not count; where they are the same, nothing needs comparing. O(n) otherwise, and for what
  /// two versions of a list share, one comparison for up to 64 elements.
  @inlinable
  public static func == (left: OrderedState, right: OrderedState) -> Bool {
    if left.stamp == right.stamp { return true }
    guard left.count == right.count else { return false }
    var mine = left.makeIterator()
    var theirs = right.makeIterator()
    while true {
      mine.skipLeaves(sharedWith: &theirs)
      guard let my = mine.next() else { return true }
      if my != theirs.next() { return false }
    }
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
