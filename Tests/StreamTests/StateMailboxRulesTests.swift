import FluxAsync
import Testing

@Suite("The rules of a mailbox")
struct StateMailboxRulesTests {
  private typealias Rules = StateMailboxRules<Int>

  private func rules(_ buffering: StreamBuffering = .newest, quiet: Duration? = nil) -> Rules {
    Rules(buffering: buffering, quiet: quiet)
  }

  @Test("who looks into an empty one has to wait for a value")
  func empty() {
    var rules = rules()
    #expect(rules.looked(at: .zero) == .nothing(.forValue))
    #expect(rules.waits(.forValue) == .waits)
    #expect(rules.isAwaited)
  }

  @Test("a value wakes who waits for one, once")
  func wakes() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.received(1, at: .zero).wakes)
    #expect(!rules.received(2, at: .zero).wakes)
    #expect(!rules.isAwaited)
    #expect(rules.looked(at: .zero) == .value(2))
  }

  @Test("a value that comes between a look and the wait lets nobody wait")
  func between() {
    var rules = rules()
    #expect(rules.looked(at: .zero) == .nothing(.forValue))
    #expect(!rules.received(1, at: .zero).wakes)
    #expect(rules.waits(.forValue) == .looksAgain)
    #expect(rules.looked(at: .zero) == .value(1))
  }

  @Test("the end wakes who waits, and lets nobody wait")
  func end() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.sourceEnded() == true)
    #expect(rules.waits(.forValue) == .looksAgain)
    #expect(rules.looked(at: .zero) == .end)
    #expect(rules.sourceEnded() == false)
  }

  @Test("what is kept is given after the source's end, and nothing is taken in")
  func draining() {
    var rules = rules(.unbounded)
    for value in 1...3 { _ = rules.received(value, at: .zero) }
    #expect(rules.sourceEnded() == false)
    let late = rules.received(4, at: .zero)
    #expect(!late.isKept && late.dropped == 4)
    for value in 1...3 { #expect(rules.looked(at: .zero) == .value(value)) }
    #expect(rules.looked(at: .zero) == .end)
  }

  @Test("cancelling hands back what is kept, wakes who waits, and is final")
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

  @Test("a second consumer that waits is misuse")
  func misuse() {
    var rules = rules()
    _ = rules.waits(.forValue)
    #expect(rules.waits(.forValue) == .isMisuse)
  }

  @Test("the newest pushes the oldest out of a full mailbox, which is handed back")
  func newest() {
    var rules = rules(.newest(2))
    let dropped = (1...4).map { rules.received($0, at: .zero).dropped }
    #expect(dropped == [nil, nil, 1, 2])
    #expect(rules.drops == 2)
  }

  @Test("a full mailbox of the oldest refuses the newest, which is handed back")
  func oldest() {
    var rules = rules(.oldest(2))
    let receptions = (1...4).map { rules.received($0, at: .zero) }
    #expect(receptions.map(\.dropped) == [nil, nil, 3, 4])
    #expect(receptions.map(\.isKept) == [true, true, false, false])
    #expect(rules.drops == 2)
  }

  // MARK: - Quiet

  @Test("a value that has to be quiet is waited for until then")
  func quiet() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .seconds(5))
    #expect(rules.looked(at: .seconds(5)) == .nothing(.forQuiet(until: .seconds(6))))
    #expect(rules.waits(.forQuiet(until: .seconds(6))) == .waits)
    #expect(rules.rang(at: .seconds(6)) == true)
    #expect(rules.looked(at: .seconds(6)) == .value(1))
  }

  @Test("a value that comes meanwhile wakes nobody, and is what is waited for next")
  func meanwhile() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    _ = rules.waits(.forQuiet(until: .seconds(1)))
    #expect(!rules.received(2, at: .milliseconds(500)).wakes)
    #expect(rules.rang(at: .seconds(1)) == true)
    #expect(rules.looked(at: .seconds(1)) == .nothing(.forQuiet(until: .milliseconds(1_500))))
  }

  @Test("an alarm that rings before the wait lets nobody wait")
  func early() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    #expect(rules.rang(at: .seconds(1)) == false)
    #expect(rules.waits(.forQuiet(until: .seconds(1))) == .looksAgain)
  }

  @Test("an alarm of an earlier wait wakes nobody")
  func earlier() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .milliseconds(500))
    _ = rules.waits(.forQuiet(until: .milliseconds(1_500)))
    #expect(rules.rang(at: .seconds(1)) == false)
    #expect(rules.isAwaited)
  }

  @Test("an alarm does not wake who waits for a value")
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

  @Test("the end wakes who waits for quiet, and gives the value at once")
  func endOfQuiet() {
    var rules = rules(quiet: .seconds(1))
    _ = rules.received(1, at: .zero)
    _ = rules.waits(.forQuiet(until: .seconds(1)))
    #expect(rules.sourceEnded() == true)
    #expect(rules.looked(at: .zero) == .value(1))
    #expect(rules.looked(at: .zero) == .end)
  }

  @Test("of values that have to be quiet the newest is kept, whatever the buffering")
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

  /// A mailbox, and what has to be true of it.
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

    /// Whether it was right to wake or not to wake: only who waits, and never late.
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
    "nobody waits for what is there, all that is not dropped is given in order, and the end is final",
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
