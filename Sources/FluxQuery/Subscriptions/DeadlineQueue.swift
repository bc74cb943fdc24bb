/// A queue of values that are due at a time, with the earliest first.
///
/// Values that are due at the same time are in the order of their insertion. Inserting and
/// removing a value take O(log n) time.
struct DeadlineQueue<Value: Sendable>: Sendable {
  private struct Item: Sendable {
    let due: Duration
    let number: UInt64
    let value: Value

    func precedes(_ other: Item) -> Bool {
      due == other.due ? number < other.number : due < other.due
    }
  }

  /// A binary heap, in which each item precedes the items at twice its index plus one and two.
  private var heap: [Item] = []
  private var last: UInt64 = 0

  /// The number of values.
  var count: Int { heap.count }

  /// The earliest time, or `nil` if the queue is empty.
  var first: Duration? { heap.first?.due }

  mutating func insert(_ value: Value, at due: Duration) {
    last += 1
    heap.append(Item(due: due, number: last, value: value))
    var index = heap.count - 1
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the value that is due first.
  mutating func removeFirst() -> Value? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let removed = heap.removeLast()
    var index = 0
    while true {
      var earliest = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].precedes(heap[earliest]) { earliest = child }
      }
      guard earliest != index else { return removed.value }
      heap.swapAt(index, earliest)
      index = earliest
    }
  }
}
