import FluxCore
import Testing

@Suite("Delivery, in every interleaving")
struct DeliveryInterleavingTests {
  @Test("every interleaving keeps the contract", arguments: DeliveryScenario.all)
  func keepsTheContract(scenario: DeliveryScenario) {
    let clock = ContinuousClock()
    let start = clock.now
    let exploration = DeliveryExploration(of: scenario)
    print(
      "\(scenario.title): \(exploration.states) states, \(exploration.transitions) transitions,"
        + " \(exploration.ends) ends", clock.now - start)
    #expect(exploration.finding == nil, "\(exploration.finding?.description ?? "")")
    let missing = scenario.covers.subtracting(exploration.events)
    #expect(missing.isEmpty, "never happened: \(missing.descriptions)")
  }
}
