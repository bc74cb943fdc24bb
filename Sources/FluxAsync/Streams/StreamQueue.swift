import FluxCore

/// A queue that stores its elements in a ring buffer.
///
/// Removing an element is O(1), and appending an element is amortized O(1).
package struct StreamQueue<Element> {
  /// The largest capacity that an empty queue keeps.
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

/// An object that receives the values of a source one at a time, and passes each value that is
/// not a repetition to a mailbox.
///
/// Only the closure of the subscription retains this object. After the store is released or the
/// subscription is canceled, the closure is released as soon as no thread can call the closure.
/// No further value can arrive after the closure is released, so `deinit` notifies the mailbox
/// that the source has ended.
final class StreamInlet<Element: Sendable>: Sendable {
  private let mailbox: StateMailbox<Element>
  private let areEqual: (@Sendable (Element, Element) -> Bool)?
  /// The last value that the mailbox kept, if values are compared.
  private let last = Locked<Element?>(nil)

  init(_ mailbox: StateMailbox<Element>, by areEqual: (@Sendable (Element, Element) -> Bool)?) {
    self.mailbox = mailbox
    self.areEqual = areEqual
  }

  deinit {
    mailbox.sourceEnded()
  }

  @Sendable
  func receive(_ value: Element) {
    guard let areEqual else {
      _ = mailbox.receive(value)
      return
    }
    if let last = last.withLock({ $0 }), areEqual(last, value) { return }
    if mailbox.receive(value) { _ = last.exchange(value) }
  }
}
