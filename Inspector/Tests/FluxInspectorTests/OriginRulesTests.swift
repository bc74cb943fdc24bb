import FluxInspector
import Testing

@Suite("The rules by which origins are found")
struct OriginRulesTests {
  @Test("in every interleaving, a page receives the origin of each entry that it has, the newest first")
  func backlog() throws {
    let programs: [[OriginStep]] = [
      [.send(1...3), .send(4...5), .forgetAfter(3), .send(6...7)],
      [.send(1...4), .forgetBefore(3), .send(4...4), .send(5...6)],
      [.send(1...2), .clear, .send(1...2), .send(2...3)],
    ]
    var events: Set<OriginEvent> = []
    for program in programs {
      let result = try OriginBacklogModel(program).explore()
      #expect(result.ends > 0)
      #expect(result.states > 50)
      events.formUnion(result.events)
    }
    #expect(events == Set(OriginEvent.allCases))
  }

  @Test("the origins that wait to be sent are bounded")
  func bound() {
    var backlog = OriginBacklog()
    for entry in 1...(OriginBacklog.most + 1) { backlog.add(entry) }
    for _ in 1...OriginBacklog.most {
      let entry = backlog.begin()
      backlog.finish(entry ?? 0, "text")
    }
    #expect(backlog.begin() == nil)
    #expect(backlog.takeFound().count == OriginBacklog.most)
    #expect(backlog.begin() == 1)
  }

  @Test("in every interleaving, one origin at a time is found, in order, and no turn is lost")
  func queue() throws {
    let programs: [[OriginQueueModel.Step]] = [
      [.request, .leave, .request, .request], [.request, .leave], [.request, .request],
    ]
    let result = try OriginQueueModel(programs).explore()
    #expect(result.ends > 0)
    #expect(result.states > 100)
    #expect(result.events == Set(OriginQueueModel.Event.allCases))
  }
}
