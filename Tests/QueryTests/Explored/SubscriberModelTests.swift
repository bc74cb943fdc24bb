import TestSupport
import Testing

@Suite("Changing the query of a subscriber")
struct SubscriberModelTests {
  private func walk(_ length: Int, with mistake: SubscriberModel.Mistake? = nil) -> EventWalk<SubscriberModel>
  {
    EventWalk(
      SubscriberModel(mistake), beginning: [],
      events: [
        .change(7), .change(8), .change(nil), .renew, .cancel, .showInOldest(hasValue: true),
        .showInOldest(hasValue: false), .showInNewest(hasValue: true), .subscribeInOldest, .subscribeInNewest,
      ], length: length)
  }

  @Test(
    "in every order, a subscriber keeps exactly the tokens of its newest subscription, and shows no late entry"
  )
  func everyOrder() {
    let walk = walk(6)
    printStatistics("subscriber: \(walk.orders) orders of events")
    #expect(walk.orders > 100_000)
    #expect(walk.finding == nil)
  }

  @Test("the walk finds each planted mistake", arguments: SubscriberModel.Mistake.allCases)
  func planted(_ mistake: SubscriberModel.Mistake) {
    #expect(walk(4, with: mistake).finding != nil)
  }
}
