import FluxCore

extension StateStream {
  /// An iterator of a stream, with its own subscription.
  ///
  /// Only one task at a time can use an iterator. Copies of an iterator share the subscription,
  /// which ends when the last copy is released. If two tasks wait for a value of the same
  /// iterator at the same time, the program stops with a message.
  public struct Iterator: AsyncIteratorProtocol {
    package let mailbox: StateMailbox<Element>
    private let token: SubscriptionToken
    private let areEqual: (@Sendable (Element, Element) -> Bool)?
    /// The last value that the consumer received, if values are compared.
    private var last: Element?

    init(
      mailbox: StateMailbox<Element>, token: SubscriptionToken,
      areEqual: (@Sendable (Element, Element) -> Bool)?
    ) {
      self.mailbox = mailbox
      self.token = token
      self.areEqual = areEqual
    }

    /// The number of values that were dropped because the buffer was full.
    ///
    /// The number does not include values that were omitted as duplicates.
    public var dropped: Int { mailbox.drops }

    /// Waits for the next value, in the isolation of the caller.
    ///
    /// - Returns: The value, or `nil` at the end of the sequence. When the task is canceled,
    ///   this call and all later calls return `nil` immediately.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let value = await mailbox.next(isolation: actor) {
        guard let areEqual else { return value }
        // If the buffer dropped the values between two equal values, the second of the equal
        // values is a duplicate.
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
    /// - Returns: The value, or `nil` at the end of the sequence. When the task is canceled,
    ///   this call and all later calls return `nil` immediately.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }
  }
}

@available(*, unavailable)
extension StateStream.Iterator: Sendable {}
