import Testing

@testable import FluxPostgres

@Suite("Connections that are established again")
struct ConnectionRulesTests {
  /// A connection whose events happen in any order.
  private struct Model: EventModel {
    enum Mistake: CaseIterable {
      case connectsAfterClose, waitsTooLong, forgetsLoss, retriesAtOnce
    }

    enum Event: CaseIterable {
      case connect, waitEnds, succeed, fail, lose, giveUp, close
    }

    let mistake: Mistake?
    var rules = ConnectionRules(.connecting(failures: 0))
    var isConnected = false
    var isClosed = false
    var delay = 0

    mutating func happen(_ event: Event) throws(Violation) -> Bool {
      let before = rules.step
      switch event {
      case .connect: rules.connect()
      case .waitEnds: rules.waitEnded()
      case .succeed:
        if before == .connect { (isConnected, delay) = (true, 0) }
        rules.attemptEnded(succeeded: true)
      case .fail: rules.attemptEnded(succeeded: false)
      case .lose:
        isConnected = false
        if mistake != .forgetsLoss { rules.lost() }
      case .giveUp:
        isConnected = false
        rules.giveUp()
      case .close:
        (isConnected, isClosed) = (false, true)
        if mistake != .connectsAfterClose { rules.close() }
      }
      if mistake == .retriesAtOnce { rules.waitEnded() }
      try check(before, event)
      return true
    }

    private mutating func check(_ before: ConnectionRules.Step?, _ event: Event) throws(Violation) {
      let step = rules.step
      guard (step == .stop) == isClosed else { throw Violation("a closed connection does not stop") }
      guard (step == .use) == isConnected else { throw Violation("the connection is used while lost") }
      if step == .connect, before == .use { throw Violation("no delay precedes an attempt") }
      if before == .connect, event == .fail, !isClosed {
        guard case .wait(let milliseconds) = step else { throw Violation("no delay follows a failure") }
        let longest = mistake == .waitsTooLong ? 100 : ConnectionRules.longestDelay
        guard milliseconds >= delay, milliseconds <= longest else { throw Violation("a wrong delay") }
        delay = milliseconds
      }
      if event == .giveUp { delay = 0 }
    }
  }

  @Test("in every order, a connection is used only while it exists, and each failure lengthens the delay")
  func everyOrder() {
    let walk = EventWalk(Model(mistake: nil), events: Model.Event.allCases, length: 9)
    #expect(walk.states > 100)
    #expect(walk.finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: Model.Mistake.allCases)
  private func planted(_ mistake: Model.Mistake) {
    #expect(EventWalk(Model(mistake: mistake), events: Model.Event.allCases, length: 9).finding != nil)
  }

  @Test("delays double from 50 milliseconds to two seconds, and begin again after a connection")
  func delays() {
    var rules = ConnectionRules(.connected)
    rules.lost()
    var delays: [Int] = []
    for _ in 0..<8 {
      guard case .wait(let milliseconds) = rules.step else { break }
      delays.append(milliseconds)
      rules.waitEnded()
      rules.attemptEnded(succeeded: false)
    }
    #expect(delays == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000])
    rules.waitEnded()
    rules.attemptEnded(succeeded: true)
    rules.lost()
    #expect(rules.step == .wait(milliseconds: 50))
  }
}
