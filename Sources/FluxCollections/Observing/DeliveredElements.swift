/// The elements in the version of a list that was most recently delivered to the observers of the
/// list.
///
/// The elements are a copy in which only changed elements are replaced. The copy shares with the
/// list the parts that have not changed since the copy was made. If the observers retained the
/// delivered version instead, every change of the list would copy the parts that it changes. The
/// copy is only for finding elements by id, and does not keep their order.
@usableFromInline
struct DeliveredElements<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline typealias Change = ElementChange<Element.ID, Element>
  @usableFromInline typealias Changes = ElementChanges<Element.ID, Element>

  @usableFromInline var elements = ListStorage<Element>(shape: .usual, stamp: .empty)
  /// The stamp of the most recently delivered version of the list.
  @usableFromInline var stamp = VersionStamp.empty

  @inlinable
  init() {}

  @inlinable
  subscript(id: Element.ID) -> Element? { elements.element(with: id) }

  /// Replaces the elements that differ in another version, and returns the changes.
  ///
  /// The result retains all elements that were replaced, so that the caller can release them
  /// outside a lock.
  ///
  /// - Parameters:
  ///   - new: Another version of the list.
  ///   - observed: A closure that returns the ids to compare if the changed ids are not known.
  @inlinable
  mutating func advance(
    to new: OrderedState<Element>, observed: () -> [Element.ID]
  ) -> Changes {
    let old = stamp
    stamp = new.stamp
    if old == stamp { return Changes() }
    if let id = new.onlyChangedID(since: old) { return Changes(only: replace(id, in: new)) }
    let ids = new.changedIDs(since: old)
    // If many elements have changed, a new copy is cheaper.
    if let ids, ids.count <= new.count / 8 { return Changes(several: ids.map { replace($0, in: new) }) }
    let replaced = elements
    elements = new.storage
    // The copy does not need the changes of the list.
    elements.noteEverything()
    let several = (ids ?? observed()).map { id in
      Change(id: id, old: replaced.element(with: id), new: new[id: id])
    }
    return Changes(several: several, replaced: replaced)
  }

  @inlinable
  mutating func replace(_ id: Element.ID, in new: OrderedState<Element>) -> Change {
    let now = new[id: id]
    return Change(id: id, old: elements.exchange(id, with: now), new: now)
  }
}

/// An element with an id in two versions of a list, or `nil` in a version without the element.
///
/// The type of the id is a parameter, because the run-time looks up an associated type for each
/// copy of a value that contains one.
@usableFromInline
struct ElementChange<ID: Sendable, Element: Sendable>: Sendable {
  @usableFromInline let id: ID
  @usableFromInline let old: Element?
  @usableFromInline let new: Element?

  @inlinable
  init(id: ID, old: Element?, new: Element?) {
    self.id = id
    self.old = old
    self.new = new
  }
}

/// The elements that can differ between two versions of a list.
@usableFromInline
struct ElementChanges<ID: Sendable, Element: Sendable>: Sendable {
  /// The change of a single element, which is the most frequent case, and needs no array.
  @usableFromInline let only: ElementChange<ID, Element>?
  @usableFromInline let several: [ElementChange<ID, Element>]
  /// The storage that was replaced, which the receiver releases.
  @usableFromInline let replaced: (any Sendable)?

  @inlinable
  init(
    only: ElementChange<ID, Element>? = nil, several: [ElementChange<ID, Element>] = [],
    replaced: (any Sendable)? = nil
  ) {
    self.only = only
    self.several = several
    self.replaced = replaced
  }

  @inlinable
  func forEach(_ body: (ElementChange<ID, Element>) -> Void) {
    if let only { body(only) }
    for change in several { body(change) }
  }
}
