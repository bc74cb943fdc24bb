/// A queue of elements in ascending order of their numbers.
///
/// Appending an element is amortized O(1), removing an element by its number is O(log n), and
/// taking the first elements is amortized O(1) for each element. A removed element leaves an
/// empty slot. Empty slots are removed when there are more empty slots than elements.
struct NumberedQueue<Element: Sendable>: Sendable {
  private struct Slot: Sendable {
    let number: UInt64
    var element: Element?
  }

  private var slots: ArraySlice<Slot> = []
  /// The number of elements.
  private(set) var count = 0

  /// Returns the elements that satisfy a condition, in ascending order of their numbers.
  func filter(_ isIncluded: (Element) -> Bool) -> [Element] {
    slots.compactMap { slot in slot.element.flatMap { isIncluded($0) ? $0 : nil } }
  }

  /// Appends an element whose number is greater than the numbers of all other elements.
  mutating func append(_ element: Element, number: UInt64) {
    slots.append(Slot(number: number, element: element))
    count += 1
  }

  /// Removes and returns the element with a number, or returns `nil` if there is no such
  /// element.
  mutating func remove(_ number: UInt64) -> Element? {
    let index = position(of: number)
    guard index < slots.endIndex, slots[index].number == number else { return nil }
    guard let element = slots[index].element.take() else { return nil }
    count -= 1
    if slots.count > 2 * count { slots.removeAll { $0.element == nil } }
    return element
  }

  /// Removes and returns the elements with numbers less than `end`, in ascending order of the
  /// numbers.
  mutating func takeFirst(before end: UInt64 = .max) -> [Element] {
    var taken: [Element] = []
    while let number = slots.first?.number, number < end {
      // An array slice retains the slots before its start index, so an element is removed from
      // its slot when it is taken.
      if let element = slots[slots.startIndex].element.take() { taken.append(element) }
      slots.removeFirst()
    }
    count -= taken.count
    return taken
  }

  private func position(of number: UInt64) -> Int {
    var (low, high) = (slots.startIndex, slots.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
