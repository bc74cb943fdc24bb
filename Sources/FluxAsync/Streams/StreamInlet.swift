import FluxCore

/// Where a source's values enter a mailbox, one call at a time, without those that only repeat the one before.
///
/// Only the subscription's closure holds it. That is released when the store goes, or the subscription is cancelled, and
/// when no pass on any thread is about to call it: then no value can come any more, and the mailbox learns of the end.
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
