import FluxLog
import Testing

@testable import FluxPostgres

@Suite("Calls that share a connection")
struct CallRulesTests {
  private func walk(_ length: Int, with mistake: CallModel.Mistake? = nil) -> EventWalk<CallModel> {
    EventWalk(
      CallModel(mistake),
      events: [
        .append, .appendNothing, .appendAtServer, .appendAgain, .use, .close, .other, .answer, .loseStatement,
        .loseAnswer,
        .waitEnds, .connect, .failToConnect, .findOtherLog,
      ],
      length: length)
  }

  @Test("in every order, each call ends once, acknowledged entries exist once, and followers fail together")
  func everyOrder() {
    let walk = walk(7)
    #expect(walk.states > 50_000)
    #expect(walk.finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: CallModel.Mistake.allCases)
  func planted(_ mistake: CallModel.Mistake) {
    #expect(walk(6, with: mistake).finding != nil)
  }

  @Test("waiting appends that continue each other have one turn, up to a number of bytes")
  func group() {
    var rules = CallRules(limits: CallRules.Limits(bytes: 10))
    #expect(rules.append(1, bytes: 4, at: LogPosition(7)) == .waits(1, .perform(.append([1]))))
    #expect(rules.append(2, bytes: 4, at: LogPosition(8)) == .waits(2, nil))
    #expect(rules.append(1, bytes: 6, at: LogPosition(10)) == .waits(3, nil))
    #expect(rules.append(1, bytes: 1, at: LogPosition(11)) == .waits(4, nil))
    #expect(rules.turnEnded(.succeeded) == CallRules.Ending(step: .perform(.append([2, 3]))))
    #expect(rules.turnEnded(.succeeded) == CallRules.Ending(step: .perform(.append([4]))))
    #expect(rules.turnEnded(.succeeded) == CallRules.Ending())
  }

  @Test("an append that two waiting appends precede fails only if both fail")
  func twoCandidates() {
    for isFirst in [true, false] {
      var rules = CallRules()
      #expect(rules.perform() == .waits(1, .perform(.other(1))))
      #expect(rules.append(2, bytes: 1, at: LogPosition(4)) == .waits(2, nil))
      #expect(rules.append(1, bytes: 1, at: LogPosition(5)) == .waits(3, nil))
      #expect(rules.append(1, bytes: 1, at: LogPosition(6)) == .waits(4, nil))
      #expect(rules.turnEnded(.succeeded).step == .perform(.append([2])))
      #expect(rules.turnEnded(isFirst ? .succeeded : .failed).refused == [])
      let ending = rules.turnEnded(.failed)
      #expect(ending.refused == (isFirst ? [] : [4]))
    }
  }

  @Test("an append at the largest position does not stop the program")
  func largestPosition() {
    var rules = CallRules()
    #expect(rules.append(3, bytes: 1, at: LogPosition(.max)) == .waits(1, .perform(.append([1]))))
  }
}
