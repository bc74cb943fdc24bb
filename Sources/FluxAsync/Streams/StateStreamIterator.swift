import FluxCore

extension StateStream {
  /// One iteration of a stream, and the subscription that it is made of.
  ///
  /// It is for one task at a time. Copies of it share the subscription, which ends with the last of them; two tasks that
  /// wait for a value of it at the same time stop the program with a message.
  public struct Iterator: AsyncIteratorProtocol {
    package let mailbox: StateMailbox<Element>
    private let token: SubscriptionToken
    private let areEqual: (@Sendable (Element, Element) -> Bool)?
    /// What the consumer was given last, if values are compared.
    private var last: Element?

    init(
      mailbox: StateMailbox<Element>, token: SubscriptionToken,
      areEqual: (@Sendable (Element, Element) -> Bool)?
    ) {
      self.mailbox = mailbox
      self.token = token
      self.areEqual = areEqual
    }

    /// How many values the buffer has dropped, since the iterator was made, because it was full.
    ///
    /// Those that were left out as duplicates do not count.
    public var dropped: Int { mailbox.drops }

    /// Waits for the next value, where the caller runs.
    ///
    /// - Returns: The value; `nil` at the end, and as soon as the task is cancelled, from then on.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let value = await mailbox.next(isolation: actor) {
        guard let areEqual else { return value }
        // What was dropped in between may have stood between equals.
        if let last, areEqual(last, value) { continue }
        last = value
        return value
      }
      token.cancel()
      last = nil
      return nil
    }

    /// Waits for the next value.
    ///
    /// - Returns: The value; `nil` at the end, and as soon as the task is cancelled, from then on.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }
  }
}

@available(*, unavailable)
extension StateStream.Iterator: Sendable {}
