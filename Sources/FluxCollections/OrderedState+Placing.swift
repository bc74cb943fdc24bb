// Placing an element removes the previous element with the same id.

extension OrderedState {
  /// Places an element at the end, and removes the previous element with the same id.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public mutating func append(_ element: Element) {
    insert(element, at: count)
  }

  /// Places an element at the beginning, and removes the previous element with the same id.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public mutating func prepend(_ element: Element) {
    insert(element, at: 0)
  }

  /// Places an element at a position, and removes the previous element with the same id.
  ///
  /// - Complexity: O(log n).
  ///
  /// After the change, the element is at the given position. A position out of range is clamped
  /// to the valid range.
  @inlinable
  public mutating func insert(_ element: Element, at position: Int) {
    storage.place(element, at: position)
  }

  /// Places elements at the end, in the given order, and removes the previous elements with the
  /// same ids.
  ///
  /// If several of the elements have the same id, only the last of them is placed. The method
  /// takes O(k log n) time for k elements.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    insert(contentsOf: elements, at: .max)
  }

  /// Places elements at the beginning, in the given order, and removes the previous elements with
  /// the same ids.
  ///
  /// If several of the elements have the same id, only the last of them is placed. The method
  /// takes O(k log n) time for k elements.
  @inlinable
  public mutating func prepend(contentsOf elements: some Sequence<Element>) {
    insert(contentsOf: elements, at: 0)
  }

  /// Places elements at a position, in the given order, and removes the previous elements with
  /// the same ids.
  ///
  /// After the change, the first of the elements is at the given position. If several of the
  /// elements have the same id, only the last of them is placed. A position out of range is
  /// clamped to the valid range. The method takes O(k log n) time for k elements.
  @inlinable
  public mutating func insert(contentsOf elements: some Sequence<Element>, at position: Int) {
    var new: [Element] = []
    var ids: Set<Element.ID> = []
    for element in Array(elements).reversed() where ids.insert(element.id).inserted { new.append(element) }
    guard !new.isEmpty else { return }
    storage.beginChange()
    for id in ids {
      if let known = storage.location(of: id) { _ = storage.remove(at: known) }
    }
    var place = Swift.min(Swift.max(position, 0), count)
    for element in new.reversed() {
      storage.insert(element, at: place)
      storage.note(element.id)
      place += 1
    }
  }
}
