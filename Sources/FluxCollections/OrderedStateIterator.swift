// The one file of the module that reads through pointers, since an iteration is to be as quick as that of an
// array.

extension OrderedState {
  /// The elements of a list one after the other.
  ///
  /// It keeps the list as it was when it was made.
  public struct Iterator: IteratorProtocol {
    /// The elements of a leaf that are still to come.
    @usableFromInline
    struct Run {
      @usableFromInline var first: UnsafePointer<Element>?
      @usableFromInline var count = 0

      @inlinable
      init() {}
    }

    /// Where in the list a run is from.
    @usableFromInline
    struct Place {
      /// The leaves of a group, and how many of them have been begun.
      @usableFromInline let leaves: ContiguousArray<OrderTree.Child>
      @usableFromInline var begun = 0

      @inlinable
      init(leaves: ContiguousArray<OrderTree.Child>) {
        self.leaves = leaves
      }
    }

    /// Keeps the leaf that is being read where it is: nobody changes in place what is kept here too.
    @usableFromInline let contents: CopyOnWrite<ListStorage<Element>>
    @usableFromInline var place: Place
    @usableFromInline var run = Run()

    @inlinable
    init(_ contents: CopyOnWrite<ListStorage<Element>>) {
      self.contents = contents
      place = Place(leaves: contents.value.order.firstLeaves)
    }

    /// Gives the next element; `nil` after the last.
    ///
    /// O(1), amortised.
    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if run.count == 0 {
        (place, run) = Iterator.run(after: place, in: contents)
        if run.count == 0 { return nil }
      }
      // There is one, since so many are to come.
      let element = run.first.unsafelyUnwrapped
      run.first = element + 1
      run.count &-= 1
      return withExtendedLifetime(contents) { element.pointee }
    }

    /// The next leaf's elements; none after the last.
    ///
    /// The iterator itself is not handed over, so that the optimiser can keep it in registers.
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
  /// Passes over leaves that two iterators are at the beginning of, for as long as they are one and the same
  /// in memory.
  @inlinable
  mutating func skipLeaves(sharedWith other: inout OrderedState.Iterator) {
    while prepare(), other.prepare() {
      // The same elements in the same place in memory: of an array that both lists have.
      guard run.first == other.run.first, run.count == other.run.count else { return }
      run.count = 0
      other.run.count = 0
    }
  }

  /// Goes to the next leaf if there is nothing left of this one; returns false after the last.
  @inlinable
  mutating func prepare() -> Bool {
    if run.count == 0 { (place, run) = Self.run(after: place, in: contents) }
    return run.count > 0
  }
}
