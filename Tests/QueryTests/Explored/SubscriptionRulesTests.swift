import FluxQuery
import TestSupport
import Testing

@Suite("The rules for subscribers, in every order of events")
struct SubscriptionRulesTests {
  /// The first order that breaks a rule.
  struct Finding: CustomStringConvertible {
    let order: [SubscriptionEvent]
    let rule: String

    var description: String { "\(rule): \(order.map { "\($0)" }.joined(separator: ", "))" }
  }

  struct Walk {
    var orders = 0
    var finding: Finding?

    init(_ family: Family, _ mistake: SubscriptionMistake? = nil) {
      var model = SubscriptionModel(
        lifetimes: family.lifetimes, family.timing, isConcurrent: family.isConcurrent, mistake)
      for (index, event) in family.beginning.enumerated() where finding == nil {
        _ = happen(event, &model, Array(family.beginning[...index]))
      }
      walk(model, family.beginning, family)
    }

    private mutating func walk(_ model: SubscriptionModel, _ order: [SubscriptionEvent], _ family: Family) {
      orders += 1
      guard order.count < family.beginning.count + family.length else { return }
      for event in family.events where finding == nil {
        var next = model
        if happen(event, &next, order + [event]) { walk(next, order + [event], family) }
      }
    }

    private mutating func happen(
      _ event: SubscriptionEvent, _ model: inout SubscriptionModel, _ order: [SubscriptionEvent]
    ) -> Bool {
      do {
        return try model.happen(event)
      } catch {
        finding = Finding(order: order, rule: error.description)
        return false
      }
    }
  }

  // A long computation runs on a separate thread, because other tests need the threads of tasks.
  @Test("every order of events obeys the rules", arguments: Family.all)
  func everyOrder(family: Family) async {
    let walk = await resultOfThread { Walk(family) }
    printStatistics("\(family.name): \(walk.orders) orders")
    #expect(walk.finding == nil, "\(String(describing: walk.finding))")
    #expect(walk.orders > 1_000)
  }

  @Test("the exploration finds each planted mistake", arguments: SubscriptionMistake.allCases)
  func mistakes(mistake: SubscriptionMistake) async throws {
    let (family, rule) = mistake.symptom
    let finding = await resultOfThread { Walk(family, mistake).finding }
    let found = try #require(finding)
    printStatistics("\(mistake): \(found)")
    #expect(found.rule == rule, "\(found)")
  }
}
