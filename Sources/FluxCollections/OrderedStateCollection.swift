extension OrderedState: RandomAccessCollection {
  /// Gives the elements in order.
  ///
  /// O(1); all of them together are O(n).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(contents) }

  /// How many elements there are.
  ///
  /// O(1).
  @inlinable public var count: Int { storage.count }
  /// How many elements there are at least: all of them.
  ///
  /// O(1).
  @inlinable public var underestimatedCount: Int { count }
  /// Zero: positions are indices.
  ///
  /// O(1).
  @inlinable public var startIndex: Int { 0 }
  /// The position after the last.
  ///
  /// O(1).
  @inlinable public var endIndex: Int { count }

  /// The element at a position, in O(log n).
  ///
  /// A position out of range stops the program, as that of an array does: ask ``element(at:)`` for one that
  /// is not your own. Setting does what ``update(_:_:)->_`` does when the id is another one.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      guard indices.contains(position) else { Misuse.noSuchPosition(position, count: count) }
      return storage.element(at: position)
    }
    set {
      guard indices.contains(position) else { Misuse.noSuchPosition(position, count: count) }
      update(at: position) { $0 = newValue }
    }
  }
}
