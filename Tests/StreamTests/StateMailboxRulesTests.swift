import FluxAsync
import Testing

@Suite("The rules of a mailbox")
struct StateMailboxRulesTests {
  private typealias Rules = StateMailboxRules<Int>

  private func rules(_ buffering: StreamBuffering = .newest, quiet: Duration? = nil) -> Rules {
    Rules(buffering: buffering, quiet: quiet)
  }

  @Test("a consumer of an empty mailbox waits for a value")
  func empty() {
    var rules = rules()
    #expect(rules.looked(at: .zero) == .nothing(.forValue))
    #expect(rules.waits(.forValue) == .waits)
    #expect(rules.isAwaited)
  }

  @Test("a value wakes a waiting consumer once")
  func wakes() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.received(1, at: .zero).wakes)
    #expect(!rules.received(2, at: .zero).wakes)
    #expect(!rules.isAwaited)
    #expect(rules.looked(at: .zero) == .value(2))
  }

  @Test("a value that arrives between a look and the wait prevents the wait")
  func between() {
    var rules = rules()
    #expect(rules.looked(at: .zero) == .nothing(.forValue))
    #expect(!rules.received(1, at: .zero).wakes)
    #expect(rules.waits(.forValue) == .looksAgain)
    #expect(rules.looked(at: .zero) == .value(1))
  }

  @Test("the end wakes a waiting consumer, and prevents later waits")
  func end() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.sourceEnded() == true)
    #expect(rules.waits(.forValue) == .looksAgain)
    #expect(rules.looked(at: .zero) == .end)
    #expect(rules.sourceEnded() == false)
  }

  @Test("kept values are delivered after the source's end, and no new ones are accepted")
  func draining() {
    var rules = rules(.unbounded)
    for value in 1...3 { _ = rules.received(value, at: .zero) }
    #expect(rules.sourceEnded() == false)
    let late = rules.received(4, at: .zero)
    #expect(!late.isKept && late.dropped == 4)
    for value in 1...3 { #expect(rules.looked(at: .zero) == .value(value)) }
    #expect(rules.looked(at: .zero) == .end)
  }

  @Test("canceling returns the kept values, wakes a waiting consumer, and is final")
  func cancelling() {
    var busy = rules(.unbounded)
    for value in 1...3 { _ = busy.received(value, at: .zero) }
    let (wakesBusy, kept) = busy.cancelled()
    #expect(!wakesBusy && kept.count == 3)
    #expect(busy.looked(at: .zero) == .end)
    #expect(busy.received(4, at: .zero).dropped == 4)
    var waiting = rules()
    _ = waiting.waits(.forValue)
    let (wakesWaiting, _) = waiting.cancelled()
    let (wakesAgain, _) = waiting.cancelled()
    #expect(wakesWaiting && !wakesAgain)
    #expect(waiting.waits(.forValue) == .looksAgain)
  }

  @Test("a second waiting consumer is misuse")
  func misuse() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.waits(.forValue) == .isMisuse)
  }

  @Test("in a full mailbox of newest values, a new value replaces the oldest, which is returned")
  func newest() {
    var rules = rules(.newest(2))
    let dropped = (1...4).map { rules.received($0, at: .zero).dropped }
    #expect(dropped == [nil, nil, 1, 2])
    #expect(rules.drops == 2)
  }

  @Test("a full mailbox of oldest values refuses a new value, which is returned")
  func oldest() {
    var rules = rules(.oldest(2))
    let receptions = (1...4).map { rules.received($0, at: .zero) }
    #expect(receptions.map(\.dropped) == [nil, nil, 3, 4])
    #expect(receptions.map(\.isKept) == [true, true, false, false])
    #expect(rules.drops == 2)
  }

  // MARK: - Quiet

  @Test("a debounced value is awaited until its interval ends")
  func quiet() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .seconds(5))
    #expect(rules.looked(at: .seconds(5)) == .nothing(.forQuiet(until: .seconds(6))))
    #expect(rules.waits(.forQuiet(until: .seconds(6))) == .waits)
    #expect(rules.rang(at: .seconds(6)) == true)
    #expect(rules.looked(at: .seconds(6)) == .value(1))
  }

  @Test("a value that arrives meanwhile wakes no consumer, and is awaited next")
  func meanwhile() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    _ = rules.waits(.forQuiet(until: .seconds(1)))
    #expect(!rules.received(2, at: .milliseconds(500)).wakes)
    #expect(rules.rang(at: .seconds(1)) == true)
    #expect(rules.looked(at: .seconds(1)) == .nothing(.forQuiet(until: .milliseconds(1_500))))
  }

  @Test("an alarm that rings before the wait prevents the wait")
  func early() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    #expect(rules.rang(at: .seconds(1)) == false)
    #expect(rules.waits(.forQuiet(until: .seconds(1))) == .looksAgain)
  }

  @Test("an alarm of an earlier wait wakes no consumer")
  func earlier() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .milliseconds(500))
    _ = rules.waits(.forQuiet(until: .milliseconds(1_500)))
    #expect(rules.rang(at: .seconds(1)) == false)
    #expect(rules.isAwaited)
  }

  @Test("an alarm does not wake a consumer that waits for a value")
  func noValue() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.waits(.forValue)
    #expect(rules.rang(at: .seconds(9)) == false)
    #expect(rules.isAwaited)
  }

  @Test("an alarm that rings counts as the time, whatever the clock says")
  func failedClock() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    _ = rules.rang(at: .seconds(1))
    #expect(rules.looked(at: .zero) == .value(1))
  }

  @Test("the end wakes a consumer that waits for the interval, and delivers the value immediately")
  func endOfQuiet() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    _ = rules.waits(.forQuiet(until: .seconds(1)))
    #expect(rules.sourceEnded() == true)
    #expect(rules.looked(at: .zero) == .value(1))
    #expect(rules.looked(at: .zero) == .end)
  }

  @Test("of debounced values only the newest is kept, whatever the buffering")
  func quietNewest() {
    var rules = rules(.unbounded, quiet: .seconds(1))
    #expect(rules.received(1, at: .zero).dropped == nil)
    #expect(rules.received(2, at: .zero).dropped == 1)
  }
}

@Suite("The rules of a mailbox, in every order of events")
struct StateMailboxOrderTests {
  private enum Event: CaseIterable {
    case received, looked, waits, sourceEnded, rang, cancelled
  }

  /// A mailbox, and the conditions that must hold.
  private struct Walk {
    var rules: StateMailboxRules<Int>
    let quiet: Duration?
    var time = Duration.zero
    var wait: StateMailboxRules<Int>.Wait?
    var isWaiting = false
    var hasEnded = false
    var isCancelled = false
    var sent = 0
    var lost = 0
    var given: [Int] = []

    mutating func take(_ event: Event) -> Bool {
      time += .milliseconds(400)
      switch event {
      case .received:
        guard !hasEnded else { return true }
        sent += 1
        let reception = rules.received(sent, at: time)
        if reception.dropped != nil { lost += 1 }
        return woken(if: reception.wakes)
      case .looked:
        guard !isWaiting else { return true }
        switch rules.looked(at: time) {
        case .value(let value):
          given.append(value)
          wait = nil
          return !isCancelled
        case .nothing(let needed):
          wait = needed
          return !hasEnded && !isCancelled
        case .end:
          wait = nil
          return isCancelled || hasEnded && given.count + lost == sent
        }
      case .waits:
        guard !isWaiting, let wait else { return true }
        isWaiting = rules.waits(wait) == .waits
        return !isWaiting || !hasEnded && !isCancelled
      case .sourceEnded:
        hasEnded = true
        return woken(if: rules.sourceEnded())
      case .rang:
        return woken(if: rules.rang(at: time))
      case .cancelled:
        isCancelled = true
        let (wakes, kept) = rules.cancelled()
        lost += kept.count
        return woken(if: wakes)
      }
    }

    /// Whether the decision to wake was right: only a waiting consumer is woken, and never late.
    private mutating func woken(if wakes: Bool) -> Bool {
      if wakes {
        defer { isWaiting = false }
        return isWaiting
      }
      guard isWaiting else { return !rules.isAwaited }
      var later = rules
      switch later.looked(at: quiet == nil ? time : .zero) {
      case .nothing: return rules.isAwaited
      case .value, .end: return false
      }
    }
  }

  @Test(
    "no consumer waits for an available value, kept values are delivered in order, and the end is final",
    arguments: [StreamBuffering.newest, .newest(2), .oldest(1), .unbounded], [nil, Duration.seconds(1)])
  func everyOrder(buffering: StreamBuffering, quiet: Duration?) {
    var walks = 0
    func go(_ walk: Walk, _ path: [Event]) {
      walks += 1
      if path.count == 6 { return }
      for event in Event.allCases {
        var next = walk
        let isRight = next.take(event)
        let inOrder = next.given == next.given.sorted() && Set(next.given).count == next.given.count
        if !isRight || !inOrder || next.given.count + next.lost > next.sent {
          Issue.record("after \(path + [event]): given \(next.given), lost \(next.lost) of \(next.sent)")
          return
        }
        go(next, path + [event])
      }
    }
    go(Walk(rules: StateMailboxRules(buffering: buffering, quiet: quiet), quiet: quiet), [])
    #expect(walks > 50_000)
  }
}
