import FluxCore
import TestSupport
import Testing

@Suite("Delivery, in every interleaving of every small program")
struct DeliveryFamilyTests {
  /// The explored programs.
  ///
  /// A release build explores all programs of up to 4 threads with one operation each, and of 2
  /// threads with two.
  ///
  /// Longer programs have too many states, so only a part of them is explored; a debug build also
  /// takes a part of the shorter ones. The parts are selected by prime numbers, so that no
  /// operation is omitted.
  private static let families: [DeliveryFamily] = {
    #if DEBUG
      [
        DeliveryFamily(threads: 2, operations: 1), DeliveryFamily(threads: 3, operations: 1, each: 3),
        DeliveryFamily(threads: 4, operations: 1, each: 37),
        DeliveryFamily(threads: 2, operations: 2, each: 19),
        DeliveryFamily(threads: 2, operations: 3, each: 9973),
      ]
    #else
      [
        DeliveryFamily(threads: 2, operations: 1), DeliveryFamily(threads: 3, operations: 1),
        DeliveryFamily(threads: 4, operations: 1), DeliveryFamily(threads: 2, operations: 2),
        DeliveryFamily(threads: 2, operations: 3, each: 211),
        DeliveryFamily(threads: 3, operations: 2, each: 3989),
      ]
    #endif
  }()

  /// The events of a walk through a family.
  private struct Walk: CustomStringConvertible {
    var programs = 0
    var states = 0
    var transitions = 0
    var endless = 0
    var found: String?

    var description: String { "\(programs) programs, \(states) states, \(transitions) transitions" }

    init(through family: DeliveryFamily) {
      family.forEach { scenario in
        let exploration = DeliveryExploration(of: scenario)
        programs += 1
        states += exploration.states
        transitions += exploration.transitions
        if exploration.ends == 0 { endless += 1 }
        found = exploration.finding.map { "\(scenario.title): \($0)" }
        return found == nil
      }
    }
  }

  // A long computation runs on a separate thread, because the threads of tasks are needed by tests
  // that wait.
  @Test(
    "every interleaving of every selected program of a family satisfies the contract", .serialized,
    arguments: families)
  func keepsTheContract(family: DeliveryFamily) async {
    let walk = await resultOfThread { Walk(through: family) }
    printStatistics("\(family.testDescription): \(walk.description)")
    #expect(walk.found == nil, "\(walk.found ?? "")")
    #expect(walk.programs > 0 && walk.endless == 0)
  }

  @Test("the family holds each program once, with transition observers and without")
  func holdsEachProgramOnce() {
    var titles: [String] = []
    DeliveryFamily(threads: 2, operations: 1).forEach { scenario in
      titles.append(scenario.title)
      return true
    }
    // Of the 36 pairs of eight letters, two threads cannot both be the main thread, and cannot
    // both end the store.
    #expect(titles.count == 34 * 2)
    #expect(Set(titles).count == titles.count)
    #expect(titles.contains("dispatch | nestedDispatch"))
    #expect(titles.contains("mailbox | end, with transitions"))
  }

  @Test("a selection from the family takes every n-th program, starting with the first")
  func takesAPart() {
    func titles(each: Int) -> [String] {
      var titles: [String] = []
      DeliveryFamily(threads: 2, operations: 1, each: each).forEach { scenario in
        titles.append(scenario.title)
        return titles.count < 8
      }
      return titles
    }
    let all = titles(each: 1)
    #expect(all.count == 8, "the walk ends when it is told to")
    #expect(titles(each: 3).prefix(4) == all[0...1] + all[6...7])
  }
}

/// Shows that the family detects mistakes: it finds all planted mistakes that its operations can
/// reveal.
@Suite("The family of small programs, with a planted mistake")
struct DeliveryFamilyMistakeTests {
  /// The mistakes that no program of the family can show.
  ///
  /// One requires an observer that empties the mailbox inside a main pass, and another a pass whose
  /// look and call are two steps. The others require an observer of transitions that joins or
  /// leaves.
  private static let beyond: [DeliveryRules.Mistake] = [
    .beginsAMainPassInAMainPass, .keepsTheCancelledInTheList, .forgetsTheNewObserverOfTransitions,
    .keepsRecordingTransitions,
  ]

  @Test(
    "notifying before the commit, forgetting the second pass and delivering after a cancellation are found by name",
    arguments: [
      (DeliveryRules.Mistake.notifiesBeforeCommit, "is told of before it is committed"),
      (.forgetsTheSecondPass, "has not seen version"),
      (.callsWhatWasCancelled, "is called after it was cancelled"),
    ])
  func isFoundByName(mistake: DeliveryRules.Mistake, words: String) throws {
    #expect(try #require(Self.finding(of: mistake)).violation.text.contains(words))
  }

  @Test(
    "each planted mistake that the family's operations can reveal is found",
    arguments: DeliveryRules.Mistake.allCases.filter { !beyond.contains($0) })
  func isFound(mistake: DeliveryRules.Mistake) {
    #expect(Self.finding(of: mistake) != nil)
  }

  private static func finding(of mistake: DeliveryRules.Mistake) -> DeliveryExploration.Finding? {
    var finding: DeliveryExploration.Finding?
    for threads in 2...3 where finding == nil {
      DeliveryFamily(threads: threads, operations: 1).forEach { scenario in
        finding = DeliveryExploration(of: scenario, mistake: mistake).finding
        return finding == nil
      }
    }
    return finding
  }
}
