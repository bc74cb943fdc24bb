/// How two versions of a list are compared for its observers, in functions that are specialised where the
/// list's type is known: what is behind a lock cannot be.
@usableFromInline
struct ElementComparison<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  @usableFromInline typealias List = OrderedState<Element>

  /// The ids that may differ; `nil` if that is not known.
  @usableFromInline let changedIDs: @Sendable (_ old: List, _ new: List) -> [Element.ID]?
  /// The element with an id now, which may be `nil`; `nil` around that if it is what it was.
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
