/// A comparison of two versions of a list, which finds the elements whose observers must be
/// called.
///
/// The closures are created in code where the type of the list is statically known, so the
/// compiler can specialize them. The compiler cannot specialize code that runs under a lock.
@usableFromInline
struct ElementComparison<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  /// A closure that replaces the delivered elements with those of another version.
  @usableFromInline let advance:
    @Sendable (
      inout DeliveredElements<Element>, _ new: OrderedState<Element>, _ observed: () -> [Element.ID]
    ) -> ElementChanges<Element.ID, Element>
  /// A closure that returns the current element, or `nil` if the element did not change.
  ///
  /// The inner optional is `nil` if the element was removed.
  @usableFromInline let changed: @Sendable (ElementChange<Element.ID, Element>) -> Element??

  @inlinable
  init(by areEqual: @escaping @Sendable (Element, Element) -> Bool) {
    advance = { elements, new, observed in elements.advance(to: new, observed: observed) }
    changed = { change in
      switch (change.old, change.new) {
      case (nil, nil): nil
      case (let before?, let now?): areEqual(before, now) ? nil : .some(now)
      case (_, let now): .some(now)
      }
    }
  }
}
