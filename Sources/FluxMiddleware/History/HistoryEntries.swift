import FluxCore

/// The entries of a history, in a list that can append at its end and remove at both ends.
///
/// An array moves all of its elements when its first element is removed. In a full history, an
/// array would therefore move all entries for each action.
struct HistoryEntries: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, Sendable {
  typealias Element = HistoryTimeline.Entry

  /// The storage of the entries, which begin at index `start`.
  private var places: [Element] = []
  private var start = 0

  /// The placeholder for a removed entry.
  ///
  /// The elements are not optional values, because reading an optional value would copy it.
  private static let nothing: Element = {
    struct Nothing: Action {}
    return Element(id: .init(rawValue: 0), action: Nothing(), step: .init(rawValue: 0))
  }()

  init(arrayLiteral elements: Element...) {
    self.init(elements)
  }

  init(_ elements: [Element]) {
    places = elements
  }

  var startIndex: Int { 0 }
  var endIndex: Int { places.count - start }

  subscript(index: Int) -> Element {
    _read { yield places[start + index] }
    _modify { yield &places[start + index] }
  }

  /// Returns the index of the first entry whose id is equal to or greater than a given id, in
  /// O(log n) time.
  func firstIndex(from id: HistoryEntry.ID) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func append(_ entry: Element) {
    places.append(entry)
  }

  /// Removes and returns all entries, starting at an index.
  mutating func takeAll(from index: Int) -> [Element] {
    guard index < endIndex else { return [] }
    let taken = Array(places[(start + index)...])
    places.removeLast(taken.count)
    return taken
  }

  /// Removes and returns the given number of oldest entries, in O(1) time on average for each
  /// entry.
  mutating func takeFirst(_ count: Int) -> [Element] {
    var taken: [Element] = []
    taken.reserveCapacity(count)
    for _ in 0..<count {
      taken.append(places[start])
      places[start] = Self.nothing
      start += 1
    }
    if start > places.count / 2 {
      places.removeFirst(start)
      start = 0
    }
    return taken
  }
}
