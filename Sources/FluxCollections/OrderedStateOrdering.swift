extension OrderedState {
  /// Moves the elements at some positions, such as those of an `IndexSet`, to stand before that at another
  /// one.
  ///
  /// The meaning is that of SwiftUI's `onMove`: positions and destination are those before the change, and
  /// the elements that are moved keep their order. They may come in any order; those that come again or are
  /// out of range are passed over, and a destination out of range is brought to the nearest end. O(k log n)
  /// for k positions.
  @inlinable
  public mutating func move(from positions: some Sequence<Int>, to destination: Int) {
    let positions = existing(positions)
    let destination = Swift.min(Swift.max(destination, 0), count)
    var place = destination - positions.prefix { $0 < destination }.count
    // Those that stand there already, one after the other, are left alone.
    guard let first = positions.first, let last = positions.last else { return }
    if first == place, last - first == positions.count - 1 { return }
    for element in take(from: positions) {
      storage.insert(element, at: place)
      place += 1
    }
  }

  /// Moves the element at a position to stand before that at another one: as ``move(from:to:)``.
  @inlinable
  public mutating func move(from position: Int, to destination: Int) {
    move(from: CollectionOfOne(position), to: destination)
  }

  /// Puts the elements in an order; equal ones stay in theirs.
  ///
  /// O(n log n), and O(n) if they are in it already.
  @inlinable
  public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    var isInOrder = true
    var previous: Element?
    for element in self {
      if let previous, try areInIncreasingOrder(element, previous) {
        isInOrder = false
        break
      }
      previous = element
    }
    if !isInOrder { replaceOrder(try sorted(by: areInIncreasingOrder)) }
  }

  /// Replaces the elements by others with the same ids in another order.
  @inlinable
  mutating func replaceOrder(_ elements: [Element]) {
    self = OrderedState(elements, shape: storage.shape)
  }

  /// The elements in an order, as a list; equal ones stay in theirs.
  ///
  /// O(n log n).
  @inlinable
  public func sorted(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows -> OrderedState {
    var sorted = self
    try sorted.sort(by: areInIncreasingOrder)
    return sorted
  }

  /// Leaves those elements that a closure says yes to, as a list of their own, in their order.
  ///
  /// O(n), and O(log n) for each that is left out; the list shares with this one what both have.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> OrderedState {
    var filtered = self
    try filtered.removeAll { try !isIncluded($0) }
    return filtered
  }
}

extension OrderedState where Element: Comparable {
  /// Puts the elements in ascending order; equal ones stay in theirs.
  ///
  /// O(n log n).
  @inlinable
  public mutating func sort() {
    sort(by: <)
  }
}
