extension OrderedState: RandomAccessCollection {
  /// Returns an iterator over the elements, in order.
  ///
  /// O(1). Iterating over all elements is O(n).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(contents) }

  /// The number of elements.
  ///
  /// O(1).
  @inlinable public var count: Int { storage.count }
  /// The exact number of elements.
  ///
  /// O(1).
  @inlinable public var underestimatedCount: Int { count }
  /// The position of the first element, which is zero.
  ///
  /// O(1).
  @inlinable public var startIndex: Int { 0 }
  /// The position after the last element.
  ///
  /// O(1).
  @inlinable public var endIndex: Int { count }

  /// The element at a position.
  ///
  /// O(log n).
  ///
  /// A position out of range stops the program, like an index of an array. For a position from
  /// another source, use ``element(at:)``. Setting an element with another id follows the rules
  /// of ``update(_:_:)->_``.
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
