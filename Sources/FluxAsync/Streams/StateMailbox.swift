import FluxCore

/// A mailbox between a source of values and one consumer.
///
/// A lock protects the rules of the mailbox and the continuation of the consumer.
///
/// The instructions that the rules return are carried out outside the lock. The mailbox retains
/// neither the source nor the subscription.
package final class StateMailbox<Element: Sendable>: Sendable {
  package typealias Rules = StateMailboxRules<Element>

  private struct Contents: Sendable {
    var rules: Rules
    var consumer: CheckedContinuation<Void, Never>?

    mutating func takeConsumer(if wakes: Bool) -> CheckedContinuation<Void, Never>? {
      wakes ? consumer.take() : nil
    }
  }

  private let contents: Locked<Contents>
  /// The timeline that measures the debouncing duration, or `nil` if values are not debounced.
  private let timeline: Timeline?

  init(_ rules: Rules, on timeline: Timeline? = nil) {
    contents = Locked(Contents(rules: rules))
    self.timeline = timeline
    Timeline.keepsHistory()
  }

  /// The number of dropped values.
  package var drops: Int { contents.withLock { $0.rules.drops } }

  /// A Boolean value that indicates whether a consumer is waiting.
  package var isAwaited: Bool { contents.withLock { $0.rules.isAwaited } }

  private var now: Duration { timeline?.now ?? .zero }

  // MARK: - The source

  /// Receives a value, and returns whether the buffer keeps the value.
  package func receive(_ value: Element) -> Bool {
    let now = now
    let (reception, consumer) = contents.withLock { contents in
      let reception = contents.rules.received(value, at: now)
      return (reception, contents.takeConsumer(if: reception.wakes))
    }
    consumer?.resume()
    return reception.isKept
  }

  /// Ends the sequence after the consumer has received the buffered values.
  package func sourceEnded() {
    wake { $0.sourceEnded() }
  }

  // MARK: - The consumer

  /// Waits for the next value, in the isolation of the caller.
  ///
  /// - Returns: The value, or `nil` at the end of the sequence or after the task was canceled.
  package func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    if Task.isCancelled { cancel() }
    while true {
      let now = now
      switch contents.withLock({ $0.rules.looked(at: now) }) {
      case .value(let value): return value
      case .nothing(let wait): await self.wait(wait, isolation: isolation)
      case .end: return nil
      }
    }
  }

  /// Ends the sequence for the consumer immediately.
  package func cancel() {
    let (consumer, kept) = contents.withLock { contents in
      let (wakes, kept) = contents.rules.cancelled()
      return (contents.takeConsumer(if: wakes), kept)
    }
    consumer?.resume()
    withExtendedLifetime(kept) {}
  }

  private func wait(_ wait: Rules.Wait, isolation: isolated (any Actor)?) async {
    let alarm = alarm(for: wait)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = contents.withLock { contents in
          let answer = contents.rules.waits(wait)
          if case .waits = answer { contents.consumer = continuation }
          return answer
        }
        switch answer {
        case .waits: break
        case .looksAgain: continuation.resume()
        case .isMisuse: Misuse.waitedTwice(for: Element.self)
        }
      }
    } onCancel: {
      // The handler uses only the mailbox, because a task can be canceled by code that must not
      // use the store.
      cancel()
    }
    alarm?.cancel()
  }

  // MARK: - Time

  /// Starts a task that resumes the consumer at a deadline.
  ///
  /// The consumer itself does not sleep, so that the consumer can be resumed earlier if the
  /// source ends.
  private func alarm(for wait: Rules.Wait) -> StartedTask? {
    guard case .forQuiet(let deadline) = wait, let timeline else { return nil }
    return timeline.startTimer(until: deadline) { [self] error in
      // If the clock fails although the timer was not canceled, the consumer must not wait forever
      // for the value.
      if error == nil || !Task.isCancelled { wake { $0.rang(at: deadline) } }
    }
  }

  private func wake(if event: @Sendable (inout Rules) -> Bool) {
    let consumer = contents.withLock { contents in
      let wakes = event(&contents.rules)
      return contents.takeConsumer(if: wakes)
    }
    consumer?.resume()
  }
}
