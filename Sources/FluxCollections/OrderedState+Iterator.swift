public import FluxCore

// This file reads elements through pointers, so that iteration is as fast as iteration over an
// array.

extension OrderedState {
  /// An iterator over the elements of a list, from the first element to the last.
  ///
  /// The iterator keeps the version of the list from which it was created.
  public struct Iterator: IteratorProtocol {
    /// The remaining elements of the current leaf.
    @usableFromInline
    struct Run {
      @usableFromInline var first: UnsafePointer<Element>?
      @usableFromInline var count = 0

      @inlinable
      init() {}
    }

    /// The position of a run in the list.
    @usableFromInline
    struct Place {
      /// The leaves of a group, and the number of these leaves that the iterator has reached.
      @usableFromInline let leaves: ContiguousArray<OrderTree.Child>
      @usableFromInline var begun = 0

      @inlinable
      init(leaves: ContiguousArray<OrderTree.Child>) {
        self.leaves = leaves
      }
    }

    /// The storage, which the iterator retains so that the leaf that is being read does not
    /// change in place.
    @usableFromInline let contents: CopyOnWrite<ListStorage<Element>>
    @usableFromInline var place: Place
    @usableFromInline var run = Run()

    @inlinable
    init(_ contents: CopyOnWrite<ListStorage<Element>>) {
      self.contents = contents
      place = Place(leaves: contents.value.order.firstLeaves)
    }

    /// Returns the next element, or `nil` after the last element.
    ///
    /// - Complexity: Amortized O(1).
    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if run.count == 0 {
        (place, run) = Iterator.run(after: place, in: contents)
        if run.count == 0 { return nil }
      }
      // The pointer is not `nil`, because the run is not empty.
      let element = run.first.unsafelyUnwrapped
      run.first = element + 1
      run.count &-= 1
      return withExtendedLifetime(contents) { element.pointee }
    }

    /// Returns the elements of the next leaf, or an empty run after the last leaf.
    ///
    /// The method does not receive the iterator, so that the optimizer can keep the iterator in
    /// registers.
    @inlinable @inline(never)
    static func run(
      after place: Place, in contents: CopyOnWrite<ListStorage<Element>>
    ) -> (place: Place, run: Run) {
      var place = place
      if place.begun == place.leaves.count {
        guard let last = place.leaves.last else { return (place, Run()) }
        let leaves = contents.value.order.leaves(after: last.number)
        if leaves.isEmpty { return (place, Run()) }
        place = Place(leaves: leaves)
      }
      var run = Run()
      contents.value.leaves[place.leaves[place.begun].number].withUnsafeBufferPointer { elements in
        run.first = elements.baseAddress
        run.count = elements.count
      }
      place.begun += 1
      return (place, run)
    }
  }
}

extension OrderedState.Iterator {
  /// Skips leaves that both iterators are about to read and that share their memory.
  @inlinable
  mutating func skipLeaves(sharedWith other: inout OrderedState.Iterator) {
    while prepare(), other.prepare() {
      // Equal pointers mean that both lists contain the same array.
      guard run.first == other.run.first, run.count == other.run.count else { return }
      run.count = 0
      other.run.count = 0
    }
  }

  /// Advances to the next leaf if the current leaf has no more elements.
  ///
  /// The method returns `false` after the last leaf.
  @inlinable
  mutating func prepare() -> Bool {
    if run.count == 0 { (place, run) = Self.run(after: place, in: contents) }
    return run.count > 0
  }
}
