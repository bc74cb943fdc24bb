/// A list that stores its first element inline, and allocates memory only for further elements.
@frozen @usableFromInline
package struct SmallArray<Element> {
  @usableFromInline var first: Element?
  @usableFromInline var others: [Element]?

  @inlinable package init() {}

  @inlinable @inline(__always) package var isEmpty: Bool { first == nil }

  /// A Boolean value that indicates whether the list has more than one element.
  @inlinable package var hasSeveral: Bool { others != nil }

  @inlinable
  package mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else if others == nil {
      others = [element]
    } else {
      others!.append(element)
    }
  }

  @inlinable
  package mutating func append(contentsOf list: SmallArray) {
    list.forEach { append($0) }
  }

  /// Calls a closure with each element, from first to last.
  @inlinable @inline(__always)
  package func forEach(_ body: (Element) -> Void) {
    var next = first
    var position = 0
    while let element = next {
      body(element)
      guard let others, position < others.count else { return }
      next = others[position]
      position += 1
    }
  }

  /// Removes all elements, and returns them.
  @inlinable
  package mutating func take() -> SmallArray {
    defer { self = SmallArray() }
    return self
  }

  /// Removes and returns the first element that satisfies a condition.
  @inlinable
  package mutating func remove(where isMatch: (Element) -> Bool) -> Element? {
    var removed: Element?
    var kept = SmallArray()
    forEach { element in
      if removed == nil, isMatch(element) { removed = element } else { kept.append(element) }
    }
    self = kept
    return removed
  }
}

extension SmallArray: Sendable where Element: Sendable {}
extension SmallArray: Equatable where Element: Equatable {}
extension SmallArray: Hashable where Element: Hashable {}
