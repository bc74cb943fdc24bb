// Placing elements: whatever had the id of one of them before gives way.

extension OrderedState {
  /// Places an element at the end; one with the same id that was there gives way.
  ///
  /// O(log n).
  @inlinable
  public mutating func append(_ element: Element) {
    insert(element, at: count)
  }

  /// Places an element at the beginning; one with the same id that was there gives way.
  ///
  /// O(log n).
  @inlinable
  public mutating func prepend(_ element: Element) {
    insert(element, at: 0)
  }

  /// Places an element, so that it stands at a position; one with the same id that was there gives way.
  ///
  /// O(log n).
  ///
  /// A position out of range is brought to the nearest end.
  @inlinable
  public mutating func insert(_ element: Element, at position: Int) {
    storage.place(element, at: position)
  }

  /// Places elements at the end, in their order; those with the same ids that were there give way.
  ///
  /// Of several with the same id the last one stands. O(k log n) for k elements.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    insert(contentsOf: elements, at: .max)
  }

  /// Places elements at the beginning, in their order; those with the same ids that were there give way.
  ///
  /// Of several with the same id the last one stands. O(k log n) for k elements.
  @inlinable
  public mutating func prepend(contentsOf elements: some Sequence<Element>) {
    insert(contentsOf: elements, at: 0)
  }

  /// Places elements, so that the first of them stands at a position; those with the same ids that were there
  /// give way.
  ///
  /// Of several with the same id the last one stands. A position out of range is brought to the nearest end.
  /// O(k log n) for k elements.
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
