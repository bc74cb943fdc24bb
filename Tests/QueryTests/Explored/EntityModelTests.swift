import FluxQuery
import TestSupport
import Testing

@Suite("Entities, in every order of events", .unlessItHangs)
struct EntityModelTests {
  /// All orders of some events after some initial events.
  struct Family: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let beginning: [EntityEvent]
    let events: [EntityEvent]
    var length = 5

    private static let loaded: [EntityEvent] = [
      .beginList(1), .answerNewList(1), .beginList(2), .answerNewList(2),
    ]

    static let all = [
      Family(
        testDescription: "two lists are fetched",
        beginning: [],
        events: [
          .beginList(1), .answerNewList(1), .beginList(2), .answerOldList(2), .failList(2), .serverChanges(2),
          .serverMoves, .removeList(1), .removePart(2),
        ]),
      Family(
        testDescription: "a mutation changes a part during requests",
        beginning: loaded,
        events: [
          .mutate, .mutationSucceeds, .mutationFails, .beginList(1), .answerOldList(1), .answerNewList(1),
          .beginPart(1), .answerPart(1), .serverChanges(1),
        ]),
      Family(
        testDescription: "edits and removals during requests",
        beginning: loaded,
        events: [
          .edit, .undo, .mutate, .mutationSucceeds, .beginList(2), .answerNewList(2), .serverMoves,
          .removePart(1), .removeList(2), .beginPart(1), .answerPart(1),
        ]),
      Family(
        testDescription: "a list is written during requests",
        beginning: loaded,
        events: [
          .beginPart(2), .answerPart(2), .failPart(2), .beginList(1), .answerOldList(1), .writeList(2),
          .serverChanges(2), .mutate, .mutationFails, .removeAll,
        ]),
    ]
  }

  private static func walk(_ family: Family, _ mistake: EntityMistake? = nil) -> EventWalk<EntityModel> {
    EventWalk(
      EntityModel(mistake), beginning: family.beginning, events: family.events, length: family.length)
  }

  // A long computation runs on a separate thread, because other tests need the threads of tasks.
  @Test("every order of events obeys the rules", arguments: Family.all)
  func everyOrder(family: Family) async {
    let walk = await resultOfThread { Self.walk(family) }
    printStatistics("\(family.testDescription): \(walk.orders) orders")
    #expect(walk.finding == nil, "\(String(describing: walk.finding))")
    #expect(walk.orders > 1_000)
  }

  @Test("the exploration finds each planted mistake", arguments: EntityMistake.allCases)
  func mistakes(mistake: EntityMistake) async throws {
    let findings = await resultOfThread { Family.all.compactMap { Self.walk($0, mistake).finding } }
    printStatistics("\(mistake): \(findings)")
    #expect(findings.contains { $0.rule == mistake.rule }, "\(findings)")
  }
}
