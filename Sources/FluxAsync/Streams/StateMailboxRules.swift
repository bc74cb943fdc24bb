/// The rules of a mailbox between a source of values and one consumer: what is kept, what the consumer gets, and when it
/// is woken.
///
/// A value that goes by them without being taken is handed back, so that it can be released outside any lock.
package struct StateMailboxRules<Element: Sendable>: Sendable {
  /// What the consumer, who has looked and found nothing for it, waits for.
  package enum Wait: Sendable, Equatable {
    /// For any value.
    case forValue
    /// For the time until which no value has come, if none comes.
    case forQuiet(until: Duration)
  }

  /// What the consumer finds.
  package enum Finding: Sendable {
    case value(Element)
    case nothing(Wait)
    case end
  }

  /// What becomes of a consumer that says it waits.
  package enum Answer: Sendable {
    case waits
    /// Something has happened since it looked.
    case looksAgain
    /// Another one is waiting already.
    case isMisuse
  }

  /// What becomes of a value that has come.
  package struct Reception: Sendable {
    package var isKept = false
    /// Whether the consumer has to be woken.
    package var wakes = false
    /// What is dropped: the value, or the one that made way for it.
    package var dropped: Element?
  }

  private enum State {
    /// Values may come; the consumer waits for something, or is busy.
    case open(Wait?)
    /// No more values come: what is kept is given, then the end.
    case draining
    case over
  }

  private let policy: StreamBuffering.Policy
  /// How long no value must have come before the newest is given.
  private let quiet: Duration?
  private var state = State.open(nil)
  private var queue = StreamQueue<Element>()
  private var lastArrival = Duration.zero
  /// The latest time that an alarm has told.
  private var rung = Duration.zero
  /// How many values have been dropped.
  package private(set) var drops = 0

  /// - Parameters:
  ///   - buffering: What is kept. Of values that have to have been quiet, it is the newest only.
  ///   - quiet: How long it has to be quiet before a value is given, if it has to.
  package init(buffering: StreamBuffering, quiet: Duration? = nil) {
    policy = quiet == nil ? buffering.policy : .newest(1)
    self.quiet = quiet
  }

  /// Whether a consumer is waiting.
  package var isAwaited: Bool {
    switch state {
    case .open(let wait): wait != nil
    case .draining, .over: false
    }
  }

  // MARK: - The source

  /// A value has come.
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

  /// No more values come.
  ///
  /// - Returns: Whether the consumer has to be woken.
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

  /// The consumer looks for a value.
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

  /// The consumer, who found nothing, wants to wait.
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

  /// An alarm has told that it is so late, or cannot tell better.
  ///
  /// - Returns: Whether the consumer has to be woken.
  package mutating func rang(at time: Duration) -> Bool {
    rung = max(rung, time)
    guard case .open(.forQuiet(let deadline)) = state, deadline <= rung else { return false }
    state = .open(nil)
    return true
  }

  /// The consumer wants nothing any more.
  ///
  /// - Returns: Whether it has to be woken, and what was kept for it.
  package mutating func cancelled() -> (wakes: Bool, kept: StreamQueue<Element>) {
    defer {
      state = .over
      queue = StreamQueue()
    }
    return (isAwaited, queue)
  }

  // MARK: -

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
