import FluxInspector
import Testing

extension ExportScenario {
  private static let large = ExportQueue<Int>.reserve
  private static let small = 5 << 20

  static let all = [
    ExportScenario(
      title: "pages that read", programs: Array(repeating: [.request(small), .request(large)], count: 3),
      covers: [.madeAtOnce, .madeAfterWaiting]),
    ExportScenario(
      title: "pages that leave",
      programs: [
        [.request(large), .request(small), .leave], [.request(small), .leave], [.request(large), .leave],
      ], covers: [.leftWaiting, .leftMaking, .leftWithBytes]),
    ExportScenario(
      title: "pages that do not read", others: 20 << 20, reads: false,
      programs: Array(repeating: [.request(large), .request(small)], count: 3),
      covers: [.refusedAtOnce, .refusedAfterWaiting]),
    ExportScenario(
      title: "pages that do not read, and leave", others: 40 << 20, reads: false,
      programs: [
        [.request(large), .request(large), .leave], [.request(small), .request(0), .leave],
        [.request(small), .request(large)],
      ], covers: Set(ExportEvent.allCases)),
  ]
}

@Suite("The queue of exports")
struct ExportQueueTests {
  @Test(
    "in every interleaving, exports are made one at a time, in order and within the bound; no turn is lost",
    arguments: ExportScenario.all)
  func interleavings(scenario: ExportScenario) throws {
    let result = try ExportModel(scenario).explore()
    #expect(result.ends > 0)
    #expect(result.states > 100)
    let missing = scenario.covers.subtracting(result.events)
    #expect(missing.isEmpty, "the scenario is there to show what it does not show")
  }

  @Test("waiting pages receive their exports in the order of their requests")
  func order() {
    var (queue, memory) = (ExportQueue<Int>(), PageMemory())
    #expect(queue.add(1, in: &memory) == .make(1))
    for page in [3, 2, 4] { #expect(queue.add(page, in: &memory) == nil) }
    queue.remove(2)
    #expect(queue.finish(keeping: 1, in: &memory) == [.make(3)])
    #expect(queue.finish(keeping: 1, in: &memory) == [.make(4)])
    #expect(queue.finish(keeping: 1, in: &memory) == [])
    #expect(memory.bytes == 3)
  }

  @Test("without room for another export, every waiting page is refused")
  func noRoom() {
    var (queue, memory) = (ExportQueue<Int>(), PageMemory())
    _ = memory.take(PageMemory.most - ExportQueue<Int>.reserve)
    for page in 1...3 { _ = queue.add(page, in: &memory) }
    #expect(queue.finish(keeping: 1, in: &memory) == [.refuse(2), .refuse(3)])
    #expect(queue.add(4, in: &memory) == .refuse(4))
    memory.release(1)
    #expect(queue.add(4, in: &memory) == .make(4))
  }
}
