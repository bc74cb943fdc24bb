/// A set, whatever its elements are.
protocol MemberSet {
  var count: Int { get }

  /// The elements that are not in a set of the same type, and those that are only there; `nil` when that is of another
  /// type.
  ///
  /// It takes time in proportion to both sets, and memory in proportion to what differs.
  func differing(from new: Any) -> (removed: [AnyHashable], added: [AnyHashable])?
}

extension Set: MemberSet {
  func differing(from new: Any) -> (removed: [AnyHashable], added: [AnyHashable])? {
    guard let new = new as? Self else { return nil }
    return (
      subtracting(new).map { AnyHashable($0) },
      new.subtracting(self).map { AnyHashable($0) }
    )
  }
}
