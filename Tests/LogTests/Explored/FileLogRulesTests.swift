import TestSupport
import Testing

@Suite("Calls that share the files of a log")
struct FileLogRulesTests {
  private func walk(_ length: Int, with mistake: FileLogModel.Mistake? = nil) -> EventWalk<FileLogModel> {
    EventWalk(
      FileLogModel(mistake), beginning: [],
      events: [.append(early: false), .append(early: true), .use, .close, .turnSucceeds, .turnFails],
      length: length)
  }

  @Test(
    "in every order, calls have turns in their order, waiting appends share a write, and every call ends")
  func everyOrder() {
    let walk = walk(8)
    printStatistics("file log: \(walk.orders) orders of events")
    #expect(walk.orders > 100_000)
    #expect(walk.finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: FileLogModel.Mistake.allCases)
  func planted(_ mistake: FileLogModel.Mistake) {
    #expect(walk(6, with: mistake).finding != nil)
  }
}
