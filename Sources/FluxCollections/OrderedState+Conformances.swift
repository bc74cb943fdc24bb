extension OrderedState: RandomAccessCollection {
  /// Returns an iterator over the elements, from the first element to the last.
  ///
  /// - Complexity: O(1). Iterating over all elements is O(n).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(contents) }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { storage.count }
  /// The exact number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable public var underestimatedCount: Int { count }
  /// The position of the first element, which is zero.
  ///
  /// - Complexity: O(1).
  @inlinable public var startIndex: Int { 0 }
  /// The position after the last element.
  ///
  /// - Complexity: O(1).
  @inlinable public var endIndex: Int { count }

  /// The element at a position.
  ///
  /// - Complexity: O(log n).
  ///
  /// A position out of range stops the program, like an out-of-range index of an array. For a
  /// position that may be out of range, use ``element(at:)``. If you set an element that has
  /// another id, the rules of ``update(_:_:)->_`` apply.
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

extension OrderedState: Equatable where Element: Equatable {
  /// Returns a Boolean value that indicates whether two lists have equal elements in the same
  /// order.
  ///
  /// Lists with the same stamp are equal, so their elements are not compared. If the stamps
  /// differ, the comparison takes O(n) time, and compares each shared leaf of up to 64 elements
  /// in one step. The comparison of a large list with the version before its last change usually
  /// takes O(log n) time.
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

  /// The number of elements above which finding an element is faster than visiting all leaves.
  @inlinable static var largeCount: Int { 2_048 }

  /// Returns a Boolean value that indicates whether two lists of equal length differ at the
  /// element that was changed last in the newer list.
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
  /// Hashes the elements in list order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension OrderedState: CustomStringConvertible, CustomDebugStringConvertible {
  /// A description of the elements, formatted like the description of an array.
  public var description: String { values.description }

  /// A debug description of the elements, formatted like the description of an array.
  public var debugDescription: String { values.debugDescription }
}

extension OrderedState: CustomReflectable {
  /// A mirror that presents the elements as an array.
  ///
  /// With this mirror, logs and differences show the elements, and not the storage.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
