/// The rules of a mailbox between a source of values and one consumer.
///
/// The rules determine which values are kept, which value the consumer receives, and when the
/// consumer is resumed.
///
/// The rules return a dropped value to the caller, so that the value can be released outside
/// any lock.
package struct StateMailboxRules<Element: Sendable>: Sendable {
  /// The event that the consumer waits for if no value is available.
  package enum Wait: Sendable, Equatable {
    /// The consumer waits until any value arrives.
    case forValue
    /// The consumer waits until the given time, at which the buffered value is due if no newer
    /// value arrives.
    case forQuiet(until: Duration)
  }

  /// The result that the consumer receives when it checks the mailbox.
  package enum Finding: Sendable {
    case value(Element)
    case nothing(Wait)
    case end
  }

  /// The response to a consumer that is about to wait.
  package enum Answer: Sendable {
    case waits
    /// An event has occurred since the consumer checked the mailbox.
    case looksAgain
    /// Another consumer is already waiting.
    case isMisuse
  }

  /// The result of receiving a value.
  package struct Reception: Sendable {
    package var isKept = false
    /// A Boolean value that indicates whether the consumer must be resumed.
    package var wakes = false
    /// The dropped value: the new value, or an older value that the new value replaces.
    package var dropped: Element?
  }

  private enum State {
    /// Values can still arrive. The consumer is waiting for the associated event, or is busy if
    /// the event is `nil`.
    case open(Wait?)
    /// No more values arrive, and the sequence ends after the consumer has received the buffered
    /// values.
    case draining
    case over
  }

  private let policy: StreamBuffering.Policy
  /// The duration that must pass without a new value before the newest value is due.
  private let quiet: Duration?
  private var state = State.open(nil)
  private var queue = StreamQueue<Element>()
  private var lastArrival = Duration.zero
  /// The latest debouncing deadline that has passed.
  private var rung = Duration.zero
  /// The number of dropped values.
  package private(set) var drops = 0

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - buffering: The rule for the values to keep. If `quiet` is not `nil`, only the newest
  ///     value is kept.
  ///   - quiet: The duration that must pass without a new value before a value is due, or `nil`
  ///     if each value is due immediately.
  package init(buffering: StreamBuffering, quiet: Duration? = nil) {
    policy = quiet == nil ? buffering.policy : .newest(1)
    self.quiet = quiet
  }

  /// A Boolean value that indicates whether a consumer is waiting.
  package var isAwaited: Bool {
    switch state {
    case .open(let wait): wait != nil
    case .draining, .over: false
    }
  }

  // MARK: - The source

  /// Receives a value from the source.
  package mutating func received(_ value: Element, at now: Duration) -> Reception {
    switch state {
    case .open(let wait):
      lastArrival = now
      var reception = keep(value)
      if wait == .forValue {
        state = .open(nil)
        reception.wakes = true
      }
      return reception
    case .draining, .over:
      return Reception(dropped: value)
    }
  }

  /// Records that the source has ended, and that no more values arrive.
  ///
  /// - Returns: A Boolean value that indicates whether the consumer must be resumed.
  package mutating func sourceEnded() -> Bool {
    switch state {
    case .open(let wait):
      state = .draining
      return wait != nil
    case .draining, .over:
      return false
    }
  }

  // MARK: - The consumer

  /// Returns the next value if a value is due, the event to wait for, or the end of the
  /// sequence.
  package mutating func looked(at now: Duration) -> Finding {
    switch state {
    case .open:
      if let quiet, queue.count > 0, max(now, rung) < lastArrival + quiet {
        return .nothing(.forQuiet(until: lastArrival + quiet))
      }
      return queue.popFirst().map(Finding.value) ?? .nothing(.forValue)
    case .draining:
      if let value = queue.popFirst() { return .value(value) }
      state = .over
      return .end
    case .over:
      return .end
    }
  }

  /// Records that the consumer is about to wait because no value is due.
  package mutating func waits(_ wait: Wait) -> Answer {
    switch state {
    case .open(nil):
      let isDue =
        switch wait {
        case .forValue: queue.count > 0
        case .forQuiet(let deadline): rung >= deadline
        }
      if isDue { return .looksAgain }
      state = .open(wait)
      return .waits
    case .open: return .isMisuse
    case .draining, .over: return .looksAgain
    }
  }

  /// Records that a debouncing deadline has passed, or that the clock has failed.
  ///
  /// - Returns: A Boolean value that indicates whether the consumer must be resumed.
  package mutating func rang(at time: Duration) -> Bool {
    rung = max(rung, time)
    guard case .open(.forQuiet(let deadline)) = state, deadline <= rung else { return false }
    state = .open(nil)
    return true
  }

  /// Ends the sequence for the consumer.
  ///
  /// - Returns: The values that were in the buffer, and a Boolean value that indicates whether
  ///   the consumer must be resumed.
  package mutating func cancelled() -> (wakes: Bool, kept: StreamQueue<Element>) {
    defer {
      state = .over
      queue = StreamQueue()
    }
    return (isAwaited, queue)
  }

  // MARK: - Buffering

  private mutating func keep(_ value: Element) -> Reception {
    var reception = Reception(isKept: true)
    switch policy {
    case .newest(let limit) where queue.count == limit:
      reception.dropped = queue.popFirst()
      queue.append(value)
      drops += 1
    case .oldest(let limit) where queue.count == limit:
      reception = Reception(dropped: value)
      drops += 1
    case .newest, .oldest, .unbounded:
      queue.append(value)
    }
    return reception
  }
}

extension StateMailboxRules.Finding: Equatable where Element: Equatable {}
