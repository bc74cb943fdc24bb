/// A set whose element type is not known.
protocol MemberSet {
  var count: Int { get }

  /// Returns whether both sets share their storage, and are therefore equal.
  ///
  /// The method takes O(1) time.
  func isIdentical(to new: Any) -> Bool

  /// Returns the elements that only this set contains, and the elements that only another set
  /// contains.
  ///
  /// The time is proportional to the sizes of both sets. The required memory is proportional to
  /// the number of differing elements.
  ///
  /// - Returns: The removed and the added elements, or `nil` if the other set has a different
  ///   type.
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
