extension OrderedState {
  // MARK: - By id

  /// Removes the element with an id.
  ///
  /// O(log n).
  ///
  /// - Returns: The element that was removed; `nil` if there was none, and then nothing has changed.
  @inlinable @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    storage.remove(id)
  }

  /// Removes the element with an id.
  ///
  /// O(log n).
  ///
  /// Does what ``remove(id:)`` does, under the name that SwiftDux has for it.
  @inlinable
  public mutating func remove(forId id: Element.ID) {
    remove(id: id)
  }

  /// Removes the elements with some ids; unknown ones are passed over.
  ///
  /// O(k log n) for k ids.
  @inlinable
  public mutating func remove(ids: some Sequence<Element.ID>) {
    var hasBegun = false
    for id in ids {
      guard let location = storage.location(of: id) else { continue }
      if !hasBegun { storage.beginChange() }
      hasBegun = true
      _ = storage.remove(at: location)
      storage.note(id)
    }
  }

  // MARK: - By position

  /// Removes the element at a position.
  ///
  /// O(log n).
  ///
  /// - Returns: The element that was removed; `nil` if the position is out of range, and then nothing has
  ///   changed.
  @inlinable @discardableResult
  public mutating func remove(at position: Int) -> Element? {
    guard indices.contains(position) else { return nil }
    return storage.removeElement(at: position)
  }

  /// Removes the elements at some positions, such as those of an `IndexSet`: O(k log n) for k positions.
  ///
  /// Positions are those before the change. They may come in any order; those that come again or are out of
  /// range are passed over.
  @inlinable
  public mutating func remove(at positions: some Sequence<Int>) {
    _ = take(from: positions)
  }

  /// Takes the elements at some positions out of the list, and returns them in order.
  @inlinable
  mutating func take(from positions: some Sequence<Int>) -> [Element] {
    let positions = existing(positions)
    guard !positions.isEmpty else { return [] }
    storage.beginChange()
    var taken: [Element] = []
    taken.reserveCapacity(positions.count)
    for position in positions.reversed() {
      let element = storage.remove(at: position)
      storage.note(element.id)
      taken.append(element)
    }
    taken.reverse()
    return taken
  }

  /// The positions that are in range, in order, each once.
  @inlinable
  func existing(_ positions: some Sequence<Int>) -> [Int] {
    var found = positions.filter { indices.contains($0) }
    // Those of an index set are in order already.
    if zip(found, found.dropFirst()).contains(where: { $0 >= $1 }) { found = Set(found).sorted() }
    return found
  }

  // MARK: - All

  /// Removes all elements.
  ///
  /// O(1), beyond releasing them.
  @inlinable
  public mutating func removeAll() {
    guard !isEmpty else { return }
    self = OrderedState(shape: storage.shape)
  }

  /// Removes the elements that a closure says yes to: O(n), and O(log n) for each of them.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) throws -> Bool) rethrows {
    var positions: [Int] = []
    for (position, element) in enumerated() where try isUnwanted(element) { positions.append(position) }
    _ = take(from: positions)
  }
}
