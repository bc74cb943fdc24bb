import FluxCore
import TestSupport
import Testing

@testable import FluxMiddleware

@Suite("The cost of unrecorded actions in the middle of a history")
struct HistoryAmendingTests {
  private func timeline(_ policy: UnrecordedActionPolicy, count: Int) -> HistoryTimeline {
    var timeline = HistoryTimeline(limit: count, stride: 1, policy: policy)
    for number in 0..<count {
      timeline.leave { Kept(number) }
      _ = timeline.record(Tick(), joiningStep: false)
    }
    timeline.leave { Kept(count) }
    return timeline
  }

  /// The address of the entries, which changes when a shared timeline changes one of them.
  private func place(of timeline: HistoryTimeline) -> [UInt8] {
    withUnsafeBytes(of: timeline.entries) { Array($0) }
  }

  @Test("With undoneWithEntry, the second unrecorded action at a position does not touch the entries")
  func undoneWithEntry() {
    var timeline = timeline(.undoneWithEntry, count: 100)
    timeline.arrive(at: 50, keeping: [])
    #expect(timeline.amend().count == 51)
    let shared = timeline
    #expect(timeline.amend().isEmpty)
    #expect(place(of: timeline) == place(of: shared))
    #expect(timeline.revision != shared.revision)
  }

  @Test("With preserved, an unrecorded action in the middle does not touch the entries")
  func preserved() {
    var timeline = timeline(.preserved, count: 100)
    timeline.arrive(at: 50, keeping: [])
    _ = timeline.preserve(Tick(), of: ObjectIdentifier(Tick.self))
    let shared = timeline
    #expect(timeline.preserve(Tick(), of: ObjectIdentifier(Tick.self)) == nil)
    #expect(place(of: timeline) == place(of: shared))
    #expect(timeline.keptState(at: 99) != nil)
    #expect(timeline.keptState(at: 100) == nil)
  }
}
