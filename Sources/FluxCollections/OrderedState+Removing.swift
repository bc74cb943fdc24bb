extension OrderedState {
  // MARK: - By id

  /// Removes the element with an id.
  ///
  /// - Complexity: O(log n).
  ///
  /// - Returns: The removed element, or `nil` if the id is unknown and the list did not change.
  @inlinable @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    storage.remove(id)
  }

  /// Removes the element with an id.
  ///
  /// - Complexity: O(log n).
  ///
  /// This method is equivalent to ``remove(id:)``, with the name that SwiftDux uses.
  @inlinable
  public mutating func remove(forId id: Element.ID) {
    remove(id: id)
  }

  /// Removes the elements with the given ids, and ignores unknown ids.
  ///
  /// The method takes O(k log n) time for k ids.
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
  /// - Complexity: O(log n).
  ///
  /// - Returns: The removed element, or `nil` if the position is out of range and the list did
  ///   not change.
  @inlinable @discardableResult
  public mutating func remove(at position: Int) -> Element? {
    guard indices.contains(position) else { return nil }
    return storage.removeElement(at: position)
  }

  /// Removes the elements at the given positions, such as the positions in an `IndexSet`.
  ///
  /// The positions refer to the list before the change, and can be in any order. Repeated
  /// positions and positions out of range are ignored. The method takes O(k log n) time for k
  /// positions.
  @inlinable
  public mutating func remove(at positions: some Sequence<Int>) {
    _ = take(from: positions)
  }

  /// Removes the elements at the given positions, and returns these elements in list order.
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

  /// Returns the positions that are in range, sorted and without repetitions.
  @inlinable
  func existing(_ positions: some Sequence<Int>) -> [Int] {
    var found = positions.filter { indices.contains($0) }
    // The positions of an index set are already sorted.
    if zip(found, found.dropFirst()).contains(where: { $0 >= $1 }) { found = Set(found).sorted() }
    return found
  }

  // MARK: - All

  /// Removes all elements.
  ///
  /// The method takes O(1) time, plus the time for releasing the elements.
  @inlinable
  public mutating func removeAll() {
    guard !isEmpty else { return }
    self = OrderedState(shape: storage.shape)
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// The method takes O(n) time, plus O(log n) time for each element that is removed.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) throws -> Bool) rethrows {
    var positions: [Int] = []
    for (position, element) in enumerated() where try isUnwanted(element) { positions.append(position) }
    _ = take(from: positions)
  }
}
