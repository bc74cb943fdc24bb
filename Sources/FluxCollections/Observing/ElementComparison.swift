/// The comparison of two versions of a list for its observers.
///
/// The closures are created in code where the type of the list is statically known, so the
/// compiler can specialize them. The compiler cannot specialize code that runs under a lock.
@usableFromInline
struct ElementComparison<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline typealias List = OrderedState<Element>

  /// A closure that returns the ids of elements that can differ, or `nil` if the ids are not
  /// known.
  @usableFromInline let changedIDs: @Sendable (_ old: List, _ new: List) -> [Element.ID]?
  /// A closure that returns the current element with an id, or `nil` if the element did not
  /// change.
  ///
  /// The inner optional is `nil` if the element was removed.
  @usableFromInline let changed: @Sendable (_ id: Element.ID, _ old: List, _ new: List) -> Element??

  @inlinable
  init(by areEqual: @escaping @Sendable (Element, Element) -> Bool) {
    changedIDs = { old, new in new.changedIDs(since: old.stamp) }
    changed = { id, old, new in
      switch (old[id: id], new[id: id]) {
      case (nil, nil): nil
      case (let before?, let now?): areEqual(before, now) ? nil : .some(now)
      case (_, let now): .some(now)
      }
    }
  }
}
