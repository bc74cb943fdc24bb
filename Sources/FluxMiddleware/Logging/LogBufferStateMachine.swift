/// The rules of a bounded buffer of log lines: what waits, what is dropped, and who waits for what.
///
/// One writer takes the lines out, one at a time. Lines that find the buffer full leave a gap behind the last
/// one that was taken in, with their number.
package struct LogBufferStateMachine<Line: Sendable, Waiter: Sendable>: Sendable {
  /// What becomes of a line that was offered.
  package enum Acceptance: Sendable, Equatable {
    /// It waits, and a writer has to be sent.
    case startsWriter
    /// It waits for the writer that is at work.
    case waits
    /// It is counted, and let go of.
    case isDropped
  }

  /// What the writer has to do.
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
  /// What waits, from the position `first` on; what stood before it has been taken.
  private var items: [Item?] = []
  private var first = 0
  private var lines = 0
  private var isWriterAtWork = false
  /// Whether the writer has an item that it has not yet come back from.
  private var isItemInHand = false
  /// How many items have ever been taken in, and how many of them are written.
  private var takenIn: UInt64 = 0
  private var written: UInt64 = 0
  private var waiters: [(goal: UInt64, waiter: Waiter)] = []

  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// A line has come.
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

  /// The writer is ready for the next step, and has done the last one.
  ///
  /// - Returns: What to do, and whose wait is over.
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

  /// Somebody wants to wait until all that has been taken in is written.
  ///
  /// - Returns: Whether there is anything to wait for.
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
    // The places of what was taken are given back when they are half of all: O(1) an item, amortised.
    if first * 2 > items.count {
      items.removeFirst(first)
      first = 0
    }
    return item
  }
}
