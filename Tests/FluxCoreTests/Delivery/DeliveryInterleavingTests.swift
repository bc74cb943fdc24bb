import FluxCore
import TestSupport
import Testing

@Suite("Delivery, in every interleaving")
struct DeliveryInterleavingTests {
  // A long computation runs on a separate thread, because the threads of tasks are needed by tests
  // that wait.
  @Test(
    "every interleaving of several threads satisfies the contract", .serialized,
    arguments: DeliveryScenario.all)
  func keepsTheContract(scenario: DeliveryScenario) async {
    let exploration = await resultOfThread { DeliveryExploration(of: scenario) }
    printStatistics(
      "\(scenario.title): \(exploration.states) states, \(exploration.transitions) transitions")
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
    #expect(exploration.ends > 0)
    let missing = scenario.covers.filter { !exploration.events.contains($0) }
    #expect(missing.isEmpty, "the scenario is there to show what it does not show")
  }

  @Test("the scenarios contain every possible event, with three threads and three events each")
  func scenariosAreComplete() {
    let missing = Set(DeliveryEvent.allCases).subtracting(DeliveryScenario.all.flatMap(\.covers))
    #expect(missing.isEmpty)
    let small = DeliveryScenario.all.filter { scenario in
      scenario.programs.filter { $0.count >= 3 }.count < 3
    }
    #expect(small.isEmpty)
  }

  @Test("one thread with nothing nested calls each observer exactly once for each dispatch")
  func oneThread() throws {
    let scenario = DeliveryScenario(
      title: "one thread",
      programs: [
        [.dispatch, .replaceReducer, .dispatch, .subscribeWithoutFirstCall(2), .dispatch, .dispatch]
      ],
      observers: [.init(), .init(), .init(isThere: false)], observesTransitions: true, countsCalls: true)
    let exploration = DeliveryExploration(of: scenario)
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
    #expect(exploration.states == exploration.transitions + 1, "one thread has one path")
    #expect(try #require(exploration.lastEnd).observers.map(\.calls) == [4, 4, 2])
  }

  @Test("a batch of one thread makes one call for all of its dispatches")
  func oneBatch() throws {
    let scenario = DeliveryScenario(
      title: "one batch", programs: [[.openBatch, .dispatch, .dispatch, .dispatch, .closeBatch]],
      observers: [.init()], countsCalls: true)
    let exploration = DeliveryExploration(of: scenario)
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
    #expect(try #require(exploration.lastEnd).observers.map(\.calls) == [1])
  }

  @Test(
    "an observer on the main actor has received the action when a dispatch that empties the mailbox returns")
  func emptiesTheMailbox() throws {
    let scenario = DeliveryScenario(
      title: "the main thread alone", programs: [[.dispatchOnMain, .dispatchOnMain, .dispatchOnMain]],
      observers: [.init(lane: .main)], mainThread: 0, countsCalls: true)
    let exploration = DeliveryExploration(of: scenario)
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
    #expect(try #require(exploration.lastEnd).observers.map(\.calls) == [3])
  }

  @Test("no pass precedes the transition of its version, on the main actor either")
  func mainPassesFollowTransitions() {
    let scenario = DeliveryScenario(
      title: "the main actor, and transitions", programs: [[], [.dispatch]],
      observers: [.init(lane: .main)], observesTransitions: true, mainThread: 0)
    let exploration = DeliveryExploration(of: scenario)
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
  }
}

@Suite("Handing over")
struct DeliveryInterleavingPatienceTests {
  private let first = ThreadIdentity(rawValue: 1)
  private let second = ThreadIdentity(rawValue: 2)

  private func machineWithAnObserver() -> DeliveryStateMachine {
    var machine = DeliveryStateMachine(observesTransitions: false)
    machine.observerAdded(on: .anyThread)
    return machine
  }

  @Test("a thread that delivers for others offers to hand over after sixteen passes")
  func offers() {
    var machine = machineWithAnObserver()
    var steps = [machine.committed(by: first).step]
    while steps.last == .pass && steps.count < 100 {
      #expect(machine.committed(by: second).step == .leave)
      steps.append(machine.next().step)
    }
    #expect(steps == Array(repeating: .pass, count: 16) + [.offer])
  }

  @Test(
    "a thread that delivers others' transitions offers to hand over after sixteen rounds, and none is lost")
  func offersBetweenTransitions() {
    var machine = DeliveryStateMachine(observesTransitions: true)
    var steps = [machine.committed(by: first).step]
    while steps.last == .deliverTransitions && steps.count < 100 {
      #expect(machine.committed(by: second).step == .leave)
      steps.append(machine.next().step)
    }
    #expect(steps == Array(repeating: .deliverTransitions, count: 16) + [.offer])
    #expect(machine.reclaimed(by: first).step == .deliverTransitions)
    #expect(machine.next().step == .leave)
  }

  @Test("a thread that delivers only its own actions never hands over")
  func doesNotOffer() {
    var machine = machineWithAnObserver()
    var steps = [machine.committed(by: first).step]
    for _ in 1..<100 {
      #expect(machine.committed(by: first).step == .leave)
      steps.append(machine.next().step)
    }
    #expect(steps == Array(repeating: .pass, count: 100))
  }
}
