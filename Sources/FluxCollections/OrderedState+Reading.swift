extension OrderedState {
  // MARK: - By id

  /// The element with an id, or `nil` if the id is unknown.
  ///
  /// - Complexity: O(1).
  ///
  /// Setting a new element replaces the element with the id in place. If the new element has
  /// another id, the rules of ``update(_:_:)->_`` apply. If the id is unknown, the new element
  /// is passed to ``set(_:)``, which appends an element with an unknown id. Setting `nil`
  /// removes the element.
  ///
  /// If the ids are of type `Int`, the label is required, because a number without the label is
  /// a position.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    @inline(__always) get { storage.element(with: id) }
    set {
      guard let newValue else { return _ = remove(id: id) }
      if !update(id, { $0 = newValue }) { set(newValue) }
    }
  }

  /// Returns the element whose id has a hash value and meets a condition, or `nil`.
  ///
  /// With this method, a caller finds an element without creating its id. The type of the ids must
  /// not be `Int`, whose values are hashed differently.
  @inlinable @inline(__always)
  package func element(withIDHash value: Int, where isID: (Element.ID) -> Bool) -> Element? {
    storage.element(at: storage.index.hashing.hash(value: value), where: isID)
  }

  /// The element with an id, or `nil` if the id is unknown.
  ///
  /// - Complexity: O(1).
  ///
  /// This subscript is equivalent to ``subscript(id:)``, but uses the syntax of SwiftDux.
  @inlinable @_disfavoredOverload
  public subscript(id: Element.ID) -> Element? {
    get { self[id: id] }
    set { self[id: id] = newValue }
  }

  /// Returns the element with an id, or `nil` if the id is unknown.
  ///
  /// - Complexity: O(1).
  ///
  /// This method is equivalent to ``subscript(id:)``, with the name that SwiftDux uses.
  @inlinable
  public func value(forId id: Element.ID) -> Element? { self[id: id] }

  /// Returns a Boolean value that indicates whether the list contains an element with an id.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(id: Element.ID) -> Bool { storage.contains(id) }

  /// Returns the position of the element with an id, or `nil` if the id is unknown.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func position(of id: Element.ID) -> Int? { storage.position(of: id) }

  // MARK: - By position

  /// Returns the element at a position, or `nil` if the position is out of range.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func element(at position: Int) -> Element? {
    indices.contains(position) ? storage.element(at: position) : nil
  }

  // MARK: - All

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  @inlinable public var total: Int { count }

  /// An array of all elements, in list order.
  ///
  /// Each access takes O(n) time. To iterate over the elements, use the list itself, which is a
  /// collection.
  @inlinable public var values: [Element] { Array(self) }

  /// An array of all elements, in list order.
  ///
  /// Each access takes O(n) time. This property is equivalent to ``values``, with the name that
  /// Redux Toolkit uses.
  @inlinable public var all: [Element] { values }

  /// An array of all ids, in list order.
  ///
  /// Each access takes O(n) time.
  @inlinable public var ids: [Element.ID] { map(\.id) }

  /// A dictionary of all elements by id.
  ///
  /// Each access takes O(n) time. To find one element, use ``subscript(id:)``, which is O(1).
  @inlinable public var entities: [Element.ID: Element] {
    Dictionary(uniqueKeysWithValues: lazy.map { ($0.id, $0) })
  }
}
