extension OrderedState {
  // MARK: - By id

  /// The element with an id; `nil` if there is none.
  ///
  /// O(1).
  ///
  /// Setting an element does what ``set(_:)`` does for it, and what a change of its id means is said at
  /// ``update(_:_:)->_``; setting `nil` removes the element. Setting an element for an unknown id appends it.
  ///
  /// Where ids are of type `Int`, this one needs its label: without, it is taken for a position.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { storage.element(with: id) }
    set {
      guard let newValue else { return _ = remove(id: id) }
      if !update(id, { $0 = newValue }) { set(newValue) }
    }
  }

  /// The element with an id; `nil` if there is none.
  ///
  /// O(1).
  ///
  /// Does what ``subscript(id:)`` does, under the name that SwiftDux has for it.
  @inlinable @_disfavoredOverload
  public subscript(id: Element.ID) -> Element? {
    get { self[id: id] }
    set { self[id: id] = newValue }
  }

  /// Returns the element with an id, or `nil` if the list has no such element.
  ///
  /// O(1).
  ///
  /// SwiftDux's name for ``subscript(id:)``.
  @inlinable
  public func value(forId id: Element.ID) -> Element? { self[id: id] }

  /// Whether there is an element with an id.
  ///
  /// O(1).
  @inlinable
  public func contains(id: Element.ID) -> Bool { storage.contains(id) }

  /// The position of the element with an id; `nil` if there is none.
  ///
  /// O(log n).
  @inlinable
  public func position(of id: Element.ID) -> Int? { storage.position(of: id) }

  // MARK: - By position

  /// The element at a position; `nil` if the position is out of range.
  ///
  /// O(log n).
  @inlinable
  public func element(at position: Int) -> Element? {
    indices.contains(position) ? storage.element(at: position) : nil
  }

  // MARK: - All

  /// How many elements there are.
  ///
  /// O(1).
  @inlinable public var total: Int { count }

  /// All elements in order, as an array: O(n) each time.
  ///
  /// The list itself is a collection, too, that needs no array to be iterated.
  @inlinable public var values: [Element] { Array(self) }

  /// All elements in order, as an array: O(n) each time.
  ///
  /// Redux Toolkit's name for ``values``.
  @inlinable public var all: [Element] { values }

  /// All ids in order, as an array: O(n) each time.
  @inlinable public var ids: [Element.ID] { map(\.id) }

  /// All elements by id, as a dictionary: O(n) each time.
  ///
  /// For one of them, ``subscript(id:)`` is O(1).
  @inlinable public var entities: [Element.ID: Element] {
    Dictionary(uniqueKeysWithValues: lazy.map { ($0.id, $0) })
  }
}
