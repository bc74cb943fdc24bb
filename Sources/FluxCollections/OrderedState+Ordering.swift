extension OrderedState {
  /// Moves the elements at the given positions, such as the positions in an `IndexSet`, in front
  /// of the element at another position.
  ///
  /// The parameters have the same meaning as in SwiftUI's `onMove`. The positions and the
  /// destination refer to the list before the change, and the moved elements keep their order.
  /// The positions can be in any order. Repeated positions and positions out of range are
  /// ignored. The destination is clamped to the valid range. The method takes O(k log n) time
  /// for k positions.
  @inlinable
  public mutating func move(from positions: some Sequence<Int>, to destination: Int) {
    let positions = existing(positions)
    let destination = Swift.min(Swift.max(destination, 0), count)
    var place = destination - positions.prefix { $0 < destination }.count
    // Elements that are already contiguous at the destination are not moved.
    guard let first = positions.first, let last = positions.last else { return }
    if first == place, last - first == positions.count - 1 { return }
    if positions.count == 1 { return storage.move(from: first, to: place) }
    for element in take(from: positions) {
      storage.insert(element, at: place)
      place += 1
    }
  }

  /// Moves the element at a position in front of the element at another position.
  ///
  /// The rules for moving several elements also apply to a single element.
  @inlinable
  public mutating func move(from position: Int, to destination: Int) {
    guard indices.contains(position) else { return }
    let destination = Swift.min(Swift.max(destination, 0), count)
    let place = position < destination ? destination - 1 : destination
    if place != position { storage.move(from: position, to: place) }
  }

  /// Sorts the elements, and keeps the order of equal elements.
  ///
  /// The method takes O(n log n) time, or O(n) time if the elements are already sorted.
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

  /// Replaces the elements with the same elements in another order.
  @inlinable
  mutating func replaceOrder(_ elements: [Element]) {
    self = OrderedState(elements, shape: storage.shape)
  }

  /// Returns a list of the sorted elements, in which equal elements keep their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public func sorted(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows -> OrderedState {
    var sorted = self
    try sorted.sort(by: areInIncreasingOrder)
    return sorted
  }

  /// Returns a list of the elements that satisfy a predicate, in the order of this list.
  ///
  /// The result shares unchanged storage with this list. This method takes O(n) time, plus
  /// O(log n) time for each element that is omitted.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> OrderedState {
    var filtered = self
    try filtered.removeAll { try !isIncluded($0) }
    return filtered
  }
}

extension OrderedState where Element: Comparable {
  /// Sorts the elements in ascending order, and keeps the order of equal elements.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort() {
    sort(by: <)
  }
}
