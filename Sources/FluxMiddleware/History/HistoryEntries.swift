import FluxCore

/// The entries of a history: a list that gains at its end and loses at either.
///
/// An array moves all its elements when the first one goes, which a full history would do for each action.
struct HistoryEntries: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, Sendable {
  typealias Element = HistoryTimeline.Entry

  /// Behind `start` what is there; before, places that have been emptied.
  private var places: [Element] = []
  private var start = 0

  /// What stands where an entry was.
  ///
  /// Not an optional, which would be copied to be looked at.
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

  /// The index of the first entry that has an id, or a later one: O(log n).
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

  /// Takes out the entries from an index on.
  mutating func takeAll(from index: Int) -> [Element] {
    guard index < endIndex else { return [] }
    let taken = Array(places[(start + index)...])
    places.removeLast(taken.count)
    return taken
  }

  /// Takes out as many entries at the beginning: O(1) for each, on average.
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
