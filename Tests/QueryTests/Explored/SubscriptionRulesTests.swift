import FluxQuery
import TestSupport
import Testing

@Suite("The rules for subscribers, in every order of events", .unlessItHangs)
struct SubscriptionRulesTests {
  private static func walk(
    _ family: Family, _ mistake: SubscriptionMistake? = nil
  ) -> EventWalk<SubscriptionModel> {
    let model = SubscriptionModel(
      lifetimes: family.lifetimes, family.timing, isConcurrent: family.isConcurrent, mistake)
    return EventWalk(
      model, beginning: family.beginning, events: family.events, length: family.length)
  }

  // A long computation runs on a separate thread, because other tests need the threads of tasks.
  @Test("every order of events obeys the rules", arguments: Family.all)
  func everyOrder(family: Family) async {
    let walk = await resultOfThread { Self.walk(family) }
    printStatistics("\(family.name): \(walk.orders) orders")
    #expect(walk.finding == nil, "\(String(describing: walk.finding))")
    #expect(walk.orders > 1_000)
  }

  @Test("the exploration finds each planted mistake", arguments: SubscriptionMistake.allCases)
  func mistakes(mistake: SubscriptionMistake) async throws {
    let (family, rule) = mistake.symptom
    let finding = await resultOfThread { Self.walk(family, mistake).finding }
    let found = try #require(finding)
    printStatistics("\(mistake): \(found)")
    #expect(found.rule == rule, "\(found)")
  }
}
