import FluxCore

/// The entry of a mailbox, which receives the values of a source one call at a time and omits
/// repeated values.
///
/// Only the closure of the subscription retains the inlet. The closure is released after the
/// store was released or the subscription was canceled, and no pass on any thread is about to
/// call it. No further value can then arrive, so the `deinit` of the inlet notifies the mailbox
/// of the end.
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
