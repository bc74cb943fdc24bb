import FluxCore
import TestSupport
import Testing

extension WorkScenario: CustomTestStringConvertible {
  var testDescription: String { title }
}

@Suite("Asynchronous work, in every interleaving")
struct WorkInterleavingTests {
  // A long computation runs on its own thread, because the threads of tasks are for tests that
  // wait.
  @Test("every interleaving of threads and tasks keeps the rules", .serialized, arguments: WorkScenario.all)
  func keepsTheRules(scenario: WorkScenario) async {
    let exploration = await resultOfThread { WorkExploration(of: scenario) }
    printStatistics("\(scenario.title): \(exploration.states) states, \(exploration.ends) ends")
    #expect(exploration.violation == nil, "\(exploration.description)")
    #expect(exploration.ends > 0)
  }

  @Test("every interleaving of a generated family of programs keeps the rules")
  func family() async {
    let (violations, states) = await resultOfThread {
      var states = 0
      let violations = WorkFamily.all.compactMap { scenario -> String? in
        let exploration = WorkExploration(of: scenario)
        states += exploration.states
        return exploration.violation.map { _ in "\(scenario.title): \(exploration.description)" }
      }
      return (violations, states)
    }
    printStatistics("\(WorkFamily.all.count) programs: \(states) states")
    #expect(violations == [])
    #expect(states > 100_000)
  }

  @Test("the exploration finds each planted mistake", arguments: WorkMistake.allCases)
  func findsMistake(mistake: WorkMistake) async throws {
    let (title, words) = WorkMistakeSymptoms.symptom(of: mistake)
    let scenario = try #require(WorkScenario.all.first { $0.title == title })
    let exploration = await resultOfThread { WorkExploration(of: scenario, mistake: mistake) }
    #expect(exploration.violation?.text == words, "\(exploration.description)")
  }
}
