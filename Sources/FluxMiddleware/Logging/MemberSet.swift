/// A set, whatever its elements are.
protocol MemberSet {
  var count: Int { get }

  /// Whether this and another set are one in memory, and so the same for sure. O(1).
  func isIdentical(to new: Any) -> Bool

  /// The elements that are not in a set of the same type, and those that are only there; `nil` when that is of another
  /// type.
  ///
  /// It takes time in proportion to both sets, and memory in proportion to what differs.
  func differing(from new: Any) -> (removed: [AnyHashable], added: [AnyHashable])?
}

extension Set: MemberSet {
  func isIdentical(to new: Any) -> Bool {
    (new as? Self).map { shareStorage(self, $0) } ?? false
  }

  func differing(from new: Any) -> (removed: [AnyHashable], added: [AnyHashable])? {
    guard let new = new as? Self else { return nil }
    let removed = subtracting(new)
    let hasMore = new.count > count - removed.count
    return (removed.map { AnyHashable($0) }, hasMore ? new.subtracting(self).map { AnyHashable($0) } : [])
  }
}
