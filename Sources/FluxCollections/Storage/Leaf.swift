/// Up to 64 elements that stand one after the other.
@usableFromInline
struct Leaf<Element> {
  @usableFromInline var elements: ContiguousArray<Element> = []
  @usableFromInline var slots = SlotMap()

  @inlinable
  init() {}

  @inlinable var count: Int { elements.count }

  /// Whether the two are one and the same in memory, and so have the same elements for sure.
  @inlinable
  func isIdentical(to other: Leaf) -> Bool {
    elements.withUnsafeBufferPointer { mine in
      other.elements.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress && $0.count == mine.count }
    }
  }

  @inlinable
  mutating func insert(_ element: Element, at position: Int) -> Int {
    let slot = slots.insert(at: position, count: elements.count)
    elements.insert(element, at: position)
    return slot
  }

  @inlinable
  mutating func remove(at position: Int) -> Element {
    _ = slots.remove(at: position, count: elements.count)
    return elements.remove(at: position)
  }
}

extension Leaf: Sendable where Element: Sendable {}
