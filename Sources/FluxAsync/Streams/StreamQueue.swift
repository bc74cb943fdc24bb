/// A queue in a ring buffer: appending and removing are O(1), amortized while the buffer grows.
package struct StreamQueue<Element> {
  /// The largest capacity that is kept while the queue is empty.
  private static var kept: Int { 16 }

  private var places: [Element?] = []
  private var first = 0
  package private(set) var count = 0

  package init() {}

  package mutating func append(_ element: Element) {
    if count == places.count { grow() }
    places[(first + count) % places.count] = element
    count += 1
  }

  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = places[first].take()
    first = (first + 1) % places.count
    count -= 1
    if count == 0, places.count > Self.kept {
      places = []
      first = 0
    }
    return element
  }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(1, 2 * count))
    larger += places[first...]
    larger += places[..<first]
    larger += Array(repeating: nil, count: max(1, count))
    places = larger
    first = 0
  }
}

extension StreamQueue: Sendable where Element: Sendable {}
