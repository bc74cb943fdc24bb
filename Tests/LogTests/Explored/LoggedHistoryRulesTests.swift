import TestSupport
import Testing

@Suite("The writer of a history")
struct LoggedHistoryRulesTests {
  private func walk(_ length: Int, with mistake: LoggedHistoryModel.Mistake? = nil) -> EventWalk<
    LoggedHistoryModel
  > {
    EventWalk(
      LoggedHistoryModel(mistake), beginning: [], events: [.change, .wait, .stepSucceeds, .stepFails],
      length: length)
  }

  @Test("in every order, changes are appended once and in their order, and every caller continues")
  func everyOrder() {
    let walk = walk(11)
    printStatistics("history writer: \(walk.orders) orders of events")
    #expect(walk.orders > 100_000)
    #expect(walk.finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: LoggedHistoryModel.Mistake.allCases)
  func planted(_ mistake: LoggedHistoryModel.Mistake) {
    #expect(walk(7, with: mistake).finding != nil)
  }
}
