/// The rules of a bounded buffer of log lines.
///
/// The rules determine which lines are stored, which lines are dropped, and which waiting
/// threads continue.
///
/// One writer removes the lines from the buffer, one at a time. When lines are dropped because
/// the buffer is full, the buffer stores the number of dropped lines after its last line.
package struct LogBufferStateMachine<Line: Sendable, Waiter: Sendable>: Sendable {
  /// A decision about whether to store a log line.
  package enum Acceptance: Sendable, Equatable {
    /// The line is stored, and the caller must start a writer.
    case startsWriter
    /// The line is stored, and a running writer will write it.
    case waits
    /// The line is dropped and counted.
    case isDropped
  }

  /// The next step of the writer.
  package enum Step: Sendable {
    case write(Line)
    case tellDropped(Int)
    case stop
  }

  private enum Item {
    case line(Line)
    case gap(Int)
  }

  private let capacity: Int
  /// The items that have not been removed begin at the position `first`.
  ///
  /// The items before the position `first` have been removed.
  private var items: [Item?] = []
  private var first = 0
  private var lines = 0
  private var isWriterAtWork = false
  /// A Boolean value that indicates whether the writer has received an item that is not yet
  /// written.
  private var isItemInHand = false
  /// The total number of items that were appended.
  ///
  /// ``written`` is the total number of items that were written.
  private var takenIn: UInt64 = 0
  private var written: UInt64 = 0
  private var waiters: [(goal: UInt64, waiter: Waiter)] = []

  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// Stores a log line, or drops the line if the buffer is full.
  package mutating func offered(_ line: Line) -> Acceptance {
    guard lines < capacity else {
      drop()
      return .isDropped
    }
    append(.line(line))
    lines += 1
    defer { isWriterAtWork = true }
    return isWriterAtWork ? .waits : .startsWriter
  }

  /// Records that the writer has completed its previous operation, and returns its next operation.
  ///
  /// - Returns: The next operation, and the waiting threads that can continue.
  package mutating func writerIsReady() -> (step: Step, satisfied: [Waiter]) {
    if isItemInHand { written += 1 }
    let satisfied = waiters.filter { $0.goal <= written }.map(\.waiter)
    waiters.removeAll { $0.goal <= written }
    let item = takeFirst()
    isItemInHand = item != nil
    switch item {
    case .line(let line):
      lines -= 1
      return (.write(line), satisfied)
    case .gap(let count):
      return (.tellDropped(count), satisfied)
    case nil:
      isWriterAtWork = false
      return (.stop, satisfied)
    }
  }

  /// Adds a thread that waits until all items in the buffer are written, unless they are already
  /// written.
  ///
  /// - Returns: A Boolean value that indicates whether the thread has to wait.
  package mutating func hasToWait(_ waiter: Waiter) -> Bool {
    guard written < takenIn else { return false }
    waiters.append((takenIn, waiter))
    return true
  }

  private mutating func append(_ item: Item) {
    items.append(item)
    takenIn += 1
  }

  private mutating func drop() {
    if first < items.count, case .gap(let count) = items[items.count - 1] {
      items[items.count - 1] = .gap(count + 1)
    } else {
      append(.gap(1))
    }
  }

  private mutating func takeFirst() -> Item? {
    guard first < items.count else {
      items.removeAll(keepingCapacity: true)
      first = 0
      return nil
    }
    let item = items[first].take()
    first += 1
    // Removed items are discarded when they make up more than half of the array. Discarding the
    // items takes amortized O(1) time for each item.
    if first * 2 > items.count {
      items.removeFirst(first)
      first = 0
    }
    return item
  }
}
